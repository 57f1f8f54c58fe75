/**
 * Own rules for oxlint, whose rules do not support look-ahead in these regular expressions.
 *
 * - `house/imports` refuses imports by their address. Options: `patterns`, each a JavaScript `regex`, a `message`, and
 *   a switch that still allows type imports; `onDemand`, the regular expression of allowed addresses in `import()`.
 * - `house/strings` refuses strings in the code. Options: `regex` and `message`.
 */
const imports = {
  meta: { schema: [{ type: "object" }] },
  create(context) {
    const [{ patterns, onDemand }] = context.options;
    const refusing = patterns.map(({ regex, ...rest }) => ({ ...rest, regex: new RegExp(regex) }));

    function judge(node, isType) {
      const address = node.source?.value;
      if (address === undefined) return;
      for (const { regex, message, allowTypeImports = false } of refusing) {
        if (regex.test(address) && !(isType && allowTypeImports)) context.report({ node: node.source, message });
      }
    }

    return {
      ImportDeclaration(node) {
        const { specifiers } = node;
        judge(node, node.importKind === "type" || (specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === "type")));
      },
      ExportNamedDeclaration: (node) => judge(node, node.exportKind === "type"),
      ExportAllDeclaration: (node) => judge(node, node.exportKind === "type"),
      ImportExpression({ source }) {
        if (onDemand && !(source.type === "Literal" && new RegExp(onDemand.regex).test(source.value))) {
          context.report({ node: source, message: onDemand.message });
        }
      },
    };
  },
};

const strings = {
  meta: { schema: [{ type: "object" }] },
  create(context) {
    const [{ regex, message }] = context.options;
    const refused = new RegExp(regex, "i");
    const judge = (node, text) => refused.test(text) && context.report({ node, message });
    return {
      Literal: (node) => typeof node.value === "string" && judge(node, node.value),
      TemplateElement: (node) => judge(node, node.value.raw),
    };
  },
};

export default { meta: { name: "house" }, rules: { imports, strings } };
