import { useState } from "preact/hooks";
import { Confirm } from "./confirm.tsx";
import { count } from "./text.ts";

/** The way to leave nothing behind on a machine that is not one's own. */
export function ForgetButton({ unsent, forget }: {
  /** Messages that no server has yet. */
  readonly unsent: number;
  readonly forget: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const lost = unsent > 0
    ? ` ${count(unsent, "message")} that no server has yet will be lost.`
    : "";
  return (
    <>
      <button type="button" class="link" onClick={() => setAsking(true)}>
        Forget this device
      </button>
      {asking && (
        <Confirm
          title="Forget this device?"
          text={`The token, the copies of conversations and the files of this page are removed from this browser. The conversations stay on the server.${lost}`}
          action="Forget"
          yes={forget}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}
