import type { Locale } from '@swim/contracts';
import type { MessageText } from './message-text.js';

/** The bodies of a message; both say the same. */
export interface MessageBody {
  text: string;
  html: string;
}

/** A link at the end of a message. */
export interface FooterLink {
  label: string;
  url: string;
}

/** Writes a message as plain text and as HTML. */
export function bodyOf({ intro, lines, action }: MessageText, locale: Locale, footer: FooterLink | null): MessageBody {
  const text = [
    intro,
    ...(lines.length > 0 ? [lines.map((line) => `- ${oneLine(line)}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(footer ? [`--\n${footer.label}:\n${footer.url}`] : []),
  ].join('\n\n');
  const html = [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#16202c;background:#ffffff">',
    `<p>${escaped(intro)}</p>`,
    ...(lines.length > 0 ? [`<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`] : []),
    ...(action ? [`<p><a href="${escaped(action.url)}">${escaped(action.label)}</a></p>`] : []),
    ...(footer
      ? [`<p style="font-size:13px;color:#5b6672"><a href="${escaped(footer.url)}">${escaped(footer.label)}</a></p>`]
      : []),
    '</body></html>',
  ].join('\n');
  return { text: `${text}\n`, html };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');
