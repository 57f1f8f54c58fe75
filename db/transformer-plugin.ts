import type { KyselyPlugin, OperationNodeTransformer, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";

/** Plugin that changes statements before they are compiled; results stay unchanged. */
export class TransformerPlugin implements KyselyPlugin {
  readonly #transformer: OperationNodeTransformer;

  constructor(transformer: OperationNodeTransformer) {
    this.#transformer = transformer;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs) {
    return this.#transformer.transformNode(node, queryId);
  }

  transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }
}
