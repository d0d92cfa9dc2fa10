/** A JSON text as it is read best; as it stands where it is none. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** JSON, or another text of a machine, in lines. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <figure className="code-figure">
      <figcaption className="visually-hidden">{label}</figcaption>
      <pre className="code-block">{indented(text)}</pre>
    </figure>
  );
}
