import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "preact/hooks";
import type { CommandInfo } from "../wire.ts";
import { completions } from "./completion.ts";
import { Icon } from "./icon.tsx";
import { useMedia } from "./use_media.ts";

/** Where a question is written. */
export function Composer(
  { session, text, setText, running, commands, send, stop }: {
    readonly session: string;
    /** What is written so far. */
    readonly text: string;
    readonly setText: (text: string) => void;
    readonly running: boolean;
    readonly commands: readonly CommandInfo[];
    readonly send: (text: string) => void;
    /** Undefined while there is no connection to stop by. */
    readonly stop: (() => void) | undefined;
  },
) {
  const [chosen, choose] = useState(0);
  const [dismissed, setDismissed] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const touch = useMedia("(pointer: coarse)");
  const offers = dismissed === text ? [] : completions(text, commands);
  const offer = offers[Math.min(chosen, offers.length - 1)];
  useGrow(area, text);
  useEffect(() => {
    if (!touch) area.current?.focus();
  }, [session, touch]);

  const submit = () => {
    if (!text.trim()) return;
    send(text);
    setText("");
    choose(0);
  };
  const take = ({ name }: CommandInfo) => {
    setText(`/${name} `);
    choose(0);
    area.current?.focus();
  };
  const move = (step: number) =>
    choose(
      (Math.min(chosen, offers.length - 1) + step + offers.length) %
        offers.length,
    );
  const pressed = (event: KeyboardEvent) => {
    if (event.isComposing) return; // Enter chooses a character
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey &&
      !event.altKey;
    if (offer && plain && event.key === "ArrowDown") move(1);
    else if (offer && plain && event.key === "ArrowUp") move(-1);
    else if (offer && plain && event.key === "Tab") take(offer);
    else if (offer && plain && event.key === "Escape") setDismissed(text);
    else if (
      offer && plain && event.key === "Enter" && text !== `/${offer.name}`
    ) {
      take(offer);
    } else if (
      // On a phone Enter is the only way to a new line.
      event.key === "Enter" &&
      (event.ctrlKey || event.metaKey || plain && !touch)
    ) submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const hint = running ? "Add to the running turn" : "Ask, or / for commands";
  return (
    <form
      class="composer"
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
        area.current?.focus();
      }}
    >
      {offer && <Offers id={list} offers={offers} chosen={offer} take={take} />}
      <div class="writing">
        <textarea
          id="message"
          ref={area}
          rows={1}
          value={text}
          placeholder={hint}
          aria-label={hint}
          aria-autocomplete="list"
          aria-controls={offer ? list : undefined}
          aria-activedescendant={offer ? `${list}-${offer.name}` : undefined}
          enterkeyhint={touch ? "enter" : "send"}
          autocomplete="off"
          onInput={(event) => {
            setText(event.currentTarget.value);
            choose(0);
          }}
          onKeyDown={pressed}
        />
        {running && (
          <button
            type="button"
            class="round stop"
            aria-label="Stop the turn"
            title="Stop (Esc)"
            disabled={!stop}
            onClick={stop}
          >
            <Icon name="stop" />
          </button>
        )}
        <button
          type="submit"
          class="round send"
          aria-label={running ? "Add to the running turn" : "Send"}
          title={running ? "Add to the running turn (Enter)" : "Send (Enter)"}
          disabled={!text.trim()}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

function Offers({ id, offers, chosen, take }: {
  readonly id: string;
  readonly offers: readonly CommandInfo[];
  readonly chosen: CommandInfo;
  readonly take: (command: CommandInfo) => void;
}) {
  return (
    <ul
      class="offers"
      id={id}
      role="listbox"
      aria-label="Commands"
      tabIndex={0} // it scrolls
    >
      {offers.map((command) => (
        <li
          key={command.name}
          id={`${id}-${command.name}`}
          role="option"
          aria-selected={command === chosen}
          ref={(li) => {
            if (command === chosen) li?.scrollIntoView({ block: "nearest" });
          }}
          // The field keeps the focus, and a phone its keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(command)}
        >
          <span>
            /{command.name}
            {command.hint && <i>{command.hint}</i>}
          </span>
          <small>{command.summary}</small>
        </li>
      ))}
    </ul>
  );
}

// As tall as what is in it; the style sheet says up to where.
function useGrow(
  area: { current: HTMLTextAreaElement | null },
  text: string,
): void {
  useLayoutEffect(() => {
    const field = area.current;
    if (!field) return;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }, [text]);
}
