// A database that is not beside the server: after some statements the answer takes a while. Between two statements of
// one transaction others then get their turn, which on one machine they rarely would.
import type { KyselyPlugin, PluginTransformResultArgs, QueryResult, RootOperationNode, UnknownRow } from 'kysely';

const ONE_IN = 4;

/** A plugin for Kysely. `longest` in ms; `random` gives numbers from 0 up to 1. */
export class Pauses implements KyselyPlugin {
  readonly #longest: number;
  readonly #random: () => number;

  constructor(longest: number, random: () => number) {
    this.#longest = longest;
    this.#random = random;
  }

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    if (this.#random() * ONE_IN < 1)
      await new Promise((resolve) => setTimeout(resolve, 1 + this.#random() * (this.#longest - 1)));
    return result;
  }
}
