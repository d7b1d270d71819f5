import { readConfig } from "../../core/config_file.ts";
import { checkAddress } from "./choose_model.ts";
import { detect } from "./detect.ts";
import { EXIT } from "./exit.ts";
import { type Flags, modelName } from "./flags.ts";
import { initText, type Setup } from "./init_text.ts";
import { trustIn } from "./load_config.ts";
import { notHere } from "./not_here.ts";
import { print, say } from "./output.ts";
import { CONFIG_NAME, enter } from "./place.ts";
import { saveAs } from "./save_as.ts";
import { keepTrust } from "./trust/keep.ts";

/** What `mm init` may be asked for. */
export interface InitOptions {
  readonly force?: true | undefined;
  readonly print?: true | undefined;
}

/** `mm init`: finds a model and writes down how it is reached. */
export async function init(
  options: InitOptions,
  flags: Flags,
): Promise<number> {
  enter(flags.cwd);
  const setup = await find(flags);
  const text = initText(setup);
  if (options.print) await print(text);
  else {
    await saveAs(CONFIG_NAME, text, {
      force: options.force ?? false,
      wayOut: "; overwrite it by --force, or see the new one by --print",
    });
    const { powers } = await trustIn(writtenIn(text), Deno.cwd());
    await keepTrust(powers, Deno.cwd());
  }
  if (flags.quiet) return EXIT.ok;
  say(`${options.print ? "For" : "Wrote"} ${CONFIG_NAME}: ${setup.about}`);
  return EXIT.ok;
}

function writtenIn(text: string): unknown {
  return readConfig(text, CONFIG_NAME, (name) => Deno.env.get(name)).written;
}

async function find(flags: Flags): Promise<Setup> {
  const model = modelName(flags);
  const { baseUrl: baseURL } = flags;
  if (model === "demo") return DEMO;
  if (baseURL !== undefined) {
    checkAddress(baseURL);
    return server("the server you named", baseURL, model);
  }
  const found = await detect(DETECT_MS);
  const local = found.find((s) => !model || s.models.includes(model));
  const name = model ?? local?.models[0];
  if (local && name !== undefined) {
    const others = found.flatMap((s) =>
      s.models.filter((m) => s !== local || m !== name)
        .map((m) => ({ name: m, baseURL: s.baseURL }))
    );
    return { ...server(local.name, local.baseURL, name), others };
  }
  const hosted = byKey(model);
  if (hosted) return hosted;
  if (model !== undefined) throw notHere(model, found);
  return NOTHING;
}

function server(where: string, baseURL: string, name?: string): Setup {
  return {
    about: `${name ?? "the first model"} on ${where}`,
    use: "openai",
    ...(name !== undefined && { name }),
    baseURL,
    others: [],
  };
}

function byKey(model: string | undefined): Setup | undefined {
  for (const { use, key, name, company, baseURL } of HOSTED) {
    if (!Deno.env.get(key)) continue;
    return {
      about: `${model ?? name} at ${company}, with the key in ${key}`,
      use,
      name: model ?? name,
      ...(baseURL && { baseURL }),
      key,
      others: [],
    };
  }
  return undefined;
}

const HOSTED = [
  {
    use: "openai",
    company: "OpenAI",
    key: "OPENAI_API_KEY",
    name: "gpt-5-mini",
    baseURL: "https://api.openai.com/v1",
  },
  {
    use: "anthropic",
    company: "Anthropic",
    key: "ANTHROPIC_API_KEY",
    name: "claude-sonnet-4-5",
    baseURL: undefined,
  },
] as const;

const DEMO: Setup = {
  about: "the built-in demo model",
  use: "demo",
  others: [],
};

const NOTHING: Setup = {
  about:
    "no model server was found; mm looks again at every start, start one or fill in model",
  others: [],
};

/** A server that has just been started may be slow to answer. */
const DETECT_MS = 1000;
