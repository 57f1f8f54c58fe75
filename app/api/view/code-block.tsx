/** Code to copy into a terminal or a file. */
export function CodeBlock({ code }: { code: string }) {
  return (
    <pre className="element-code" dir="ltr" translate="no">
      <code>{code}</code>
    </pre>
  );
}
