import {
  type BinaryOperationNode,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  replaceWithNoncontingentExpression,
  ValueListNode,
  type EmptyInListNode,
  type QueryId,
} from "kysely";
import { TransformerPlugin } from "./transformer-plugin";

/** Allows `in ()` and `not in ()`, as in SQLite. Kysely's own plugin misses those in subqueries. */
export const emptyLists = () => new TransformerPlugin(new EmptyListTransformer());

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
