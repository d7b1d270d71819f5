/** A mistake or an outage that one sentence explains: no stack trace. */
export class Failure extends Error {}

/** Runs a script's body and exits with its code; a Failure is one line and 1. */
export async function main(body: () => Promise<number>): Promise<never> {
  try {
    Deno.exit(await body());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`error: ${error.message}`);
    Deno.exit(1);
  }
}
