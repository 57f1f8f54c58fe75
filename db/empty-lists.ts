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

/** Lets `in ()` and `not in ()` be asked, as in SQLite. Kysely's own plugin overlooks those in subqueries. */
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
