import type { Agent } from "../../../../core/agent.ts";
import { openRemoteAgent } from "../../../../facades/remote/client/open_remote_agent.ts";
import { type FacadeDriver, facadeSuite } from "../../../facade_suite.ts";
import { plainDriver, plainSkips } from "../../terminal/plain_driver.ts";
import { remoteDriver } from "./driver.ts";
import { close, serve, TOKEN } from "./lab.ts";

facadeSuite("a remote client", remoteDriver);

facadeSuite("a terminal attached to a server", attachedDriver, {
  ...plainSkips,
  "runs no tool that is denied": "off a TTY another screen answers",
});

/** A person at `mm attach`, off a TTY. */
async function attachedDriver(
  agent: Agent,
  id?: string,
): Promise<FacadeDriver> {
  const server = await serve(agent);
  const remote = await openRemoteAgent({
    url: `http://127.0.0.1:${server.port}/`,
    token: TOKEN,
    cwd: (there) => there,
  });
  return await plainDriver(remote, id, async () => {
    remote.close();
    await close(server);
  });
}
