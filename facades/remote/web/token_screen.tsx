import { useState } from "preact/hooks";
import { ForgetButton } from "./forget_button.tsx";
import { tokenIn } from "./token.ts";

/** Asks for the way in: there is no token, or the server does not want it. */
export function TokenScreen({ refused, enter, forget }: {
  /** Why the one there was is no good. */
  readonly refused: string | undefined;
  readonly enter: (token: string) => void;
  /** Leaves nothing behind here; undefined where nothing is. */
  readonly forget?: () => void;
}) {
  const [text, setText] = useState("");
  const token = tokenIn(text) ?? text.trim();
  return (
    <main class="gate">
      <img src="/icon.svg" alt="" width="72" height="72" />
      <h1>
        {refused === undefined
          ? "Open a link of mm serve"
          : "This link is no longer good"}
      </h1>
      <p>
        {refused ??
          "A page is let in by the link, or the QR code, that mm serve shows in the terminal."}
      </p>
      <p class="quiet">
        Each start of <code>mm serve</code> makes a new token, unless{" "}
        <code>MM_TOKEN</code> sets it. Open the new link, or paste it here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token) enter(token);
        }}
      >
        <label>
          Link or token
          <input
            value={text}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={!token}>Connect</button>
      </form>
      {forget && <ForgetButton unsent={0} forget={forget} />}
    </main>
  );
}
