import { useMemo, useState } from "preact/hooks";
import type { RemoteClient } from "../client/client.ts";
import { items } from "../client/items.ts";
import type { View } from "../client/view.ts";
import { makeActions } from "./actions.ts";
import { Announcer } from "./announcer.tsx";
import { submit } from "./commands.ts";
import { allCommands } from "./completion.ts";
import { Composer } from "./composer.tsx";
import { ConnectionLine } from "./connection_line.tsx";
import { Conversation } from "./conversation.tsx";
import { Drawer } from "./drawer.tsx";
import type { Happenings } from "./happenings.ts";
import { saidNote, withNotes } from "./said.ts";
import { SessionList } from "./session_list.tsx";
import { oneLine } from "./text.ts";
import { TokenScreen } from "./token_screen.tsx";
import { TopBar } from "./top_bar.tsx";
import { Unanswered, unanswered } from "./unanswered.tsx";
import { useClient } from "./use_client.ts";
import { useDraft } from "./use_draft.ts";
import { useKeys } from "./use_keys.ts";
import { useMedia } from "./use_media.ts";
import { useNotes } from "./use_notes.ts";
import { usePageTitle } from "./use_page_title.ts";
import { useRoute } from "./use_route.ts";
import { useStale } from "./use_stale.ts";
import { useTakenBack } from "./use_taken_back.ts";
import { Welcome } from "./welcome.tsx";
import { Working } from "./working.tsx";

/** The page. */
export function App({ client, happenings, enter, forget }: {
  readonly client: RemoteClient;
  readonly happenings: Happenings;
  /** Begins again with another token. */
  readonly enter: (token: string) => void;
  /** Begins again with nothing. */
  readonly forget: () => void;
}) {
  useClient(client);
  const { connection, hello, problem } = client;
  const view = useStale(client.view);
  const wide = useMedia("(min-width: 900px)");
  const [drawer, setDrawer] = useState(false);
  const [sent, setSent] = useState(0);
  const [draft, setDraft] = useDraft(view?.session ?? "");
  const remember = useTakenBack(happenings, (text) => {
    if (!draft.trim()) setDraft(text);
  });
  const [notes, addNote] = useNotes(view);
  const note = (text: string, level?: "error") => {
    const now = client.view;
    if (now) addNote(now.session, saidNote(now, text, level));
  };
  const fail = (error: unknown) =>
    note(error instanceof Error ? error.message : String(error), "error");
  const create = useRoute(client, view, fail);
  const actions = useMemo(() => makeActions(client, fail), [client]);
  const shown = useMemo(
    () => view ? items(withNotes(view, notes)) : [],
    [view, notes],
  );
  const closeDrawer = () => setDrawer(false);
  const openSessions = () => {
    if (!wide) setDrawer(true);
    else document.querySelector<HTMLElement>(".sidebar input")?.focus();
  };
  const begin = () => {
    closeDrawer();
    create();
  };
  const stop = () => {
    if (!view) return;
    client.send<"cancel">({ type: "cancel", session: view.session })
      .catch(fail);
  };
  const send = (text: string) => {
    remember(text);
    submit(text, { client, note, create: begin, sessions: openSessions });
    setSent(sent + 1);
  };
  const failure = view && unanswered(view);
  // Later it would stop what runs then.
  const canStop = view?.running && connection === "online";
  useKeys({ stop: canStop ? stop : undefined, sessions: openSessions });
  usePageTitle(view);
  if (connection === "refused") {
    const refused = refusal(problem);
    return <TokenScreen refused={refused} enter={enter} forget={forget} />;
  }

  const list = (
    <SessionList
      client={client}
      about={listed(view, connection)}
      current={view?.session}
      chosen={closeDrawer}
      create={begin}
      forget={forget}
    />
  );
  return (
    <div class="app">
      <a class="skip" href="#message" onClick={skip}>
        Skip to the message field
      </a>
      {wide && (
        <nav class="sidebar" aria-label="Conversations">
          {list}
          {hello && (
            <p class="about">
              <bdi>{oneLine(hello.cwd)}</bdi> · mm {oneLine(hello.version)}
            </p>
          )}
        </nav>
      )}
      {!wide && drawer && (
        <Drawer label="Conversations" close={closeDrawer}>{list}</Drawer>
      )}
      <div class="page">
        <TopBar view={view} menu={wide ? undefined : openSessions} />
        <ConnectionLine
          connection={connection}
          problem={problem}
          copied={shown.length > 0 && !hello}
          wake={() => client.wake()}
        />
        <Conversation
          session={view?.session ?? ""}
          sent={sent}
          items={shown}
          actions={actions}
          offline={connection !== "online"}
        >
          {shown.length === 0 && !failure && (
            <Welcome
              client={client}
              view={view}
              wide={wide}
              create={begin}
            />
          )}
          {failure && (
            <Unanswered
              failure={failure}
              notes={view.notes}
              retry={() => send("/retry")}
            />
          )}
          {view?.running && <Working view={view} />}
        </Conversation>
        {view && (
          <Composer
            session={view.session}
            text={draft}
            setText={setDraft}
            running={view.running}
            commands={allCommands(hello?.commands ?? [])}
            stop={canStop ? stop : undefined}
            send={send}
          />
        )}
      </div>
      <Announcer happenings={happenings} />
    </div>
  );
}

// When one of these changes, the list may have.
function listed(view: View | undefined, connection: string): string {
  if (!view) return connection;
  const { session, state: { title, turns }, running, gone } = view;
  return JSON.stringify([connection, session, title, turns, running, gone]);
}

function refusal(problem: string | undefined): string {
  return problem
    ? `The server says: ${problem}`
    : "The server does not know this token any more.";
}

function skip(event: Event): void {
  event.preventDefault(); // the fragment of the address names the session
  document.getElementById("message")?.focus();
}
