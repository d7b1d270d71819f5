import { render } from "preact";
import { App } from "./app.tsx";
import { Happenings } from "./happenings.ts";
import { forgetDevice } from "./forget_device.ts";
import { openClient } from "./page_client.ts";
import { routeSession } from "./route.ts";
import { readTheme, showTheme } from "./theme.ts";
import { keepToken, takeToken, tokenIn, whenForgotten } from "./token.ts";
import { TokenScreen } from "./token_screen.tsx";
import { fitKeyboard } from "./viewport.ts";
import { installWorker } from "./worker.ts";

showTheme(readTheme());
fitKeyboard();
await start(document.getElementById("app") as HTMLElement);

async function start(root: HTMLElement): Promise<void> {
  const token = takeToken();
  if (token === undefined) {
    render(<TokenScreen refused={undefined} enter={enter} />, root);
    addEventListener("hashchange", () => {
      if (tokenIn(location.hash) !== undefined) location.reload();
    });
    return;
  }
  const happenings = new Happenings();
  const { client, leave } = await openClient(
    token,
    routeSession(),
    happenings.tell,
  );
  const begin = () => {
    leave();
    history.replaceState(null, "", location.pathname);
    location.reload();
  };
  const forget = () => {
    leave();
    void forgetDevice().then(begin);
  };
  whenForgotten(begin); // in another tab
  render(
    <App
      client={client}
      happenings={happenings}
      enter={enter}
      forget={forget}
    />,
    root,
  );
  installWorker();
}

function enter(token: string): void {
  keepToken(token);
  location.reload();
}
