import type { Demo } from './demo.ts';
import type { DemoExamples } from './demo-examples.ts';

export interface PanelOptions {
  demo: Demo;
  examples: DemoExamples | null;
  /** The address of the page of the inbox; null without an inbox. */
  mailUrl: string | null;
  /** The duration of the start. */
  seconds: number;
}

export function panel({ demo, examples, mailUrl, seconds }: PanelOptions): string {
  const lines = [
    '',
    `── ready in ${seconds.toFixed(1)} s ${'─'.repeat(60)}`,
    '',
    `  API          ${demo.base_url}`,
    `  Docs         ${demo.docs_url}`,
    `  Dashboard    ${demo.dashboard_url}`,
    ...(mailUrl ? [`  Inbox        ${mailUrl}`] : []),
    `  Sandbox key of the school   ${demo.accounts.school.key}`,
    `  Sandbox key of the family   ${demo.accounts.family.key}`,
    `  Dashboard of the school     ${demo.sign_in_links.school}`,
    `  Dashboard of the family     ${demo.sign_in_links.family}`,
    '',
    ...(examples ? exampleLines(examples) : []),
    '  Ctrl-C stops everything; the data stays.',
    '',
  ];
  return lines.join('\n');
}

function exampleLines({ book, bookTwice, pay }: DemoExamples) {
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
