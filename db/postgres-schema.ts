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

/** PostgreSQL types with the range and order of SQLite's types. */
const TYPES: Partial<Record<string, string>> = {
  // 64 bits for times in ms.
  integer: "bigint",
  real: "double precision",
  blob: "bytea",
  // Order by bytes: the order of a language differs between servers.
  text: 'text collate "C"',
};

/** Converts tables of migrations for SQLite to PostgreSQL. */
export const postgresSchema = () => new TransformerPlugin(new SchemaTransformer());

class SchemaTransformer extends OperationNodeTransformer {
  protected override transformCreateTable(node: CreateTableNode, queryId?: QueryId): CreateTableNode {
    // Without `without rowid`.
    return { ...super.transformCreateTable(node, queryId), endModifiers: undefined };
  }

  protected override transformColumnDefinition(node: ColumnDefinitionNode, queryId?: QueryId): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node, queryId);
    if (!DataTypeNode.is(column.dataType)) return column;
    const { dataType } = column.dataType;
    // Key of one whole number: SQLite numbers such rows itself.
    const isNumbered = dataType === "integer" && column.primaryKey === true && !column.references;
    const type = TYPES[String(dataType)];
    return {
      ...column,
      ...(type && { dataType: RawNode.createWithSql(type) }),
      ...(isNumbered && { generated: GeneratedNode.create({ identity: true, byDefault: true }) }),
    };
  }
}
