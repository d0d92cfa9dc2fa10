/**
 * The summary that is printed once the stack is ready.
 * @param {object} options
 * @param {{base_url: string, docs_url: string, accounts: Record<'school' | 'family', {key: string}>}} options.demo the content of demo.json.
 * @param {{book: string, bookTwice: string, pay: string}|null} options.examples lines for a shell, of `demoExamples`.
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

function exampleLines({ book, bookTwice, pay }) {
  return [
    '  To paste into another terminal, one after the other:',
    '',
    '# book a lesson',
    book,
    '# the same again: the instructor is taken by now (409)',
    bookTwice,
    '# pay for it',
    pay,
    '',
  ];
}
