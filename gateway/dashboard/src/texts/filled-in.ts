/** A text with values in place of its placeholders `{name}`; one without a value stays, so that it is seen. */
export function filledIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
