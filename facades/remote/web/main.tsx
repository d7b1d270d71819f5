import { render } from "preact";
import { App } from "./app.tsx";
import { Happenings } from "./happenings.ts";
import { openClient } from "./page_client.ts";
import { routeSession } from "./route.ts";
import { readTheme, showTheme } from "./theme.ts";
import { keepToken, takeToken, tokenIn } from "./token.ts";
import { TokenScreen } from "./token_screen.tsx";
import { fitKeyboard } from "./viewport.ts";
import { installWorker } from "./worker.ts";

showTheme(readTheme());
fitKeyboard();
await start(document.getElementById("app") as HTMLElement);
installWorker();

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
  const client = await openClient(token, routeSession(), happenings.tell);
  render(<App client={client} happenings={happenings} enter={enter} />, root);
}

function enter(token: string): void {
  keepToken(token);
  location.reload();
}
