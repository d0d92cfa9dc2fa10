/**
 * What a person sees once the stack is ready.
 * @param {object} options
 * @param {object} options.demo the content of demo.json.
 * @param {{book: string, bookAgain: string, pay: string}|null} options.examples lines for a shell, of `demoExamples`.
 * @param {number} options.seconds how long the start took.
 * @returns {string}
 */
export function panel({ demo, examples, seconds }) {
  const lines = [
    '',
    `── ready in ${seconds.toFixed(1)} s ${'─'.repeat(60)}`,
    '',
    `  API          ${demo.base_url}`,
    `  Docs         ${demo.docs_url}`,
    `  Sandbox key of the school   ${demo.accounts.school.key}`,
    `  Sandbox key of the family   ${demo.accounts.family.key}`,
    '',
    ...(examples ? exampleLines(examples) : []),
    '  Ctrl-C stops everything; the data stays.',
    '',
  ];
  return lines.join('\n');
}

function exampleLines({ book, bookAgain, pay }) {
  return [
    '  To paste into another terminal, one after the other:',
    '',
    '# book a lesson',
    book,
    '# the same again: the instructor is taken by now (409)',
    bookAgain,
    '# pay for it',
    pay,
    '',
  ];
}
