import {
  type BinaryOperationNode,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  replaceWithNoncontingentExpression,
  ValueListNode,
  type EmptyInListNode,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
} from "kysely";

/** Lets `in ()` and `not in ()` be asked, as in SQLite. Kysely's own plugin overlooks those in subqueries. */
export class EmptyLists implements KyselyPlugin {
  readonly #transformer = new EmptyListTransformer();

  transformQuery({ node, queryId }: PluginTransformQueryArgs) {
    return this.#transformer.transformNode(node, queryId);
  }

  transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }
}

class EmptyListTransformer extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode, queryId?: QueryId): BinaryOperationNode {
    const operation = super.transformBinaryOperation(node, queryId);
    return isEmptyIn(operation) ? replaceWithNoncontingentExpression(operation) : operation;
  }
}

function isEmptyIn(node: BinaryOperationNode): node is EmptyInListNode {
  const { operator, rightOperand } = node;
  const isList = PrimitiveValueListNode.is(rightOperand) || ValueListNode.is(rightOperand);
  return isList && rightOperand.values.length === 0 && OperatorNode.is(operator) && ["in", "not in"].includes(operator.operator);
}
