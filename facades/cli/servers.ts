import { join } from "node:path";
import { homeFolder } from "./place.ts";

/** A model server that may run on this machine; it speaks OpenAI's protocol. */
export interface LocalServer {
  readonly name: string;
  readonly baseURL: string;
}

/** Where the usual ones listen unless told otherwise, in order of preference. */
export function localServers(): readonly LocalServer[] {
  const home = homeFolder();
  return [
    { name: "Ollama", baseURL: "http://127.0.0.1:11434/v1" },
    { name: "LM Studio", baseURL: "http://127.0.0.1:1234/v1" },
    { name: "llama.cpp", baseURL: "http://127.0.0.1:8080/v1" },
    { name: "vLLM", baseURL: "http://127.0.0.1:8000/v1" },
    {
      name: "Docker Model Runner",
      baseURL: "http://127.0.0.1:12434/engines/v1",
    },
    ...home && Deno.build.os !== "windows"
      ? [{
        name: "Docker Model Runner",
        baseURL: `unix://${
          join(home, ".docker/run/docker.sock")
        }:/exp/vDD4.40/engines/v1`,
      }]
      : [],
  ];
}
