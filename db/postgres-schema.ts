import {
  type ColumnDefinitionNode,
  type CreateTableNode,
  DataTypeNode,
  GeneratedNode,
  OperationNodeTransformer,
  RawNode,
  type QueryId,
} from "kysely";
import { TransformerPlugin } from "./transformer-plugin";

/** Types of PostgreSQL with the range and order that SQLite's have. */
const TYPES: Partial<Record<string, string>> = {
  // Times in ms need more than 32 bits.
  integer: "bigint",
  real: "double precision",
  blob: "bytea",
  // By bytes, not by the rules of a language, which differ from server to server.
  text: 'text collate "C"',
};

/** Lets migrations that are written for SQLite build the same tables in PostgreSQL. */
export const postgresSchema = () => new TransformerPlugin(new SchemaTransformer());

class SchemaTransformer extends OperationNodeTransformer {
  protected override transformCreateTable(node: CreateTableNode, queryId?: QueryId): CreateTableNode {
    // `without rowid`
    return { ...super.transformCreateTable(node, queryId), endModifiers: undefined };
  }

  protected override transformColumnDefinition(node: ColumnDefinitionNode, queryId?: QueryId): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node, queryId);
    if (!DataTypeNode.is(column.dataType)) return column;
    const { dataType } = column.dataType;
    // SQLite numbers the rows of a table whose key is one whole number.
    const isNumbered = dataType === "integer" && column.primaryKey === true && !column.references;
    const type = TYPES[String(dataType)];
    return {
      ...column,
      ...(type && { dataType: RawNode.createWithSql(type) }),
      ...(isNumbered && { generated: GeneratedNode.create({ identity: true, byDefault: true }) }),
    };
  }
}
