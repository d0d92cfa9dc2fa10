import { changeSubscription, confirmEmail, LOCALES, type Locale, type Operation } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { publicContext } from '../calls/public-requests.js';
import type { Exchange } from '../exchange.js';
import type { Page } from '../public-pages.js';
import { readQuery } from '../requests/request-target.js';

/** A page that a link in an e-mail leads to. */
export type LinkPage = Extract<Page['page'], 'unsubscribe' | 'confirm-email'>;

export const isLinkPage = (page: Page['page']): page is LinkPage => page === 'unsubscribe' || page === 'confirm-email';

const TOKEN = /^[\w-]{1,80}(?:\.[\w-]{1,80}){2,5}$/;
// Neither script nor other pages: a token is in the URL, which no other server may get.
const HEADERS = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy',
  'no-referrer',
  'X-Robots-Tag',
  'noindex',
];

interface Words {
  title: string;
  question: string;
  button: string;
  done: string;
  invalid: string;
  /** The button that undoes it, and what is said then. */
  undo?: { button: string; done: string };
}

const UNSUBSCRIBE: Readonly<Record<Locale, Words>> = {
  en: {
    title: 'E-mail messages',
    question: 'Do you want no more messages of this kind?',
    button: 'Unsubscribe',
    done: 'You get no more messages of this kind.',
    invalid: 'This link is not valid. Open it from the message once more.',
    undo: { button: 'Subscribe again', done: 'You get these messages again.' },
  },
  de: {
    title: 'E-Mail-Nachrichten',
    question: 'Möchten Sie keine Nachrichten dieser Art mehr?',
    button: 'Abbestellen',
    done: 'Sie erhalten keine Nachrichten dieser Art mehr.',
    invalid: 'Dieser Link ist nicht gültig. Öffnen Sie ihn noch einmal aus der Nachricht.',
    undo: { button: 'Wieder bestellen', done: 'Sie erhalten diese Nachrichten wieder.' },
  },
  es: {
    title: 'Mensajes de correo',
    question: '¿No quiere recibir más mensajes de este tipo?',
    button: 'Darse de baja',
    done: 'No recibirá más mensajes de este tipo.',
    invalid: 'Este enlace no es válido. Ábralo otra vez desde el mensaje.',
    undo: { button: 'Volver a recibirlos', done: 'Volverá a recibir estos mensajes.' },
  },
  fr: {
    title: 'Messages par e-mail',
    question: 'Ne voulez-vous plus recevoir de messages de ce type ?',
    button: 'Se désabonner',
    done: 'Vous ne recevrez plus de messages de ce type.',
    invalid: 'Ce lien n’est pas valable. Ouvrez-le de nouveau depuis le message.',
    undo: { button: 'Les recevoir à nouveau', done: 'Vous recevrez à nouveau ces messages.' },
  },
};

const CONFIRM_EMAIL: Readonly<Record<Locale, Words>> = {
  en: {
    title: 'Confirm your address',
    question: 'Should messages of this account be sent to this address?',
    button: 'Confirm',
    done: 'The address is confirmed.',
    invalid: 'This link has expired, was used, or was replaced by a later one.',
  },
  de: {
    title: 'Adresse bestätigen',
    question: 'Sollen Nachrichten dieses Kontos an diese Adresse gehen?',
    button: 'Bestätigen',
    done: 'Die Adresse ist bestätigt.',
    invalid: 'Dieser Link ist abgelaufen, wurde benutzt oder durch einen späteren ersetzt.',
  },
  es: {
    title: 'Confirmar la dirección',
    question: '¿Deben enviarse a esta dirección los mensajes de la cuenta?',
    button: 'Confirmar',
    done: 'La dirección está confirmada.',
    invalid: 'Este enlace ha caducado, ya se ha usado o ha sido sustituido por otro.',
  },
  fr: {
    title: 'Confirmer l’adresse',
    question: 'Les messages de ce compte doivent-ils être envoyés à cette adresse ?',
    button: 'Confirmer',
    done: 'L’adresse est confirmée.',
    invalid: 'Ce lien a expiré, a déjà servi ou a été remplacé par un autre.',
  },
};

const WORDS = { unsubscribe: UNSUBSCRIBE, 'confirm-email': CONFIRM_EMAIL };

/**
 * Answers a page of a link in an e-mail. A GET changes nothing, since mail programs and scanners open links: the change is the
 * POST of its form, or that of a mail program (RFC 8058), whose body is not read.
 */
export async function serveLinkPage(exchange: Exchange, page: LinkPage): Promise<void> {
  const query = readQuery(exchange.target.query);
  const token = query.get('token') ?? '';
  const locale = LOCALES.find((each) => each === query.get('lang')) ?? 'en';
  const words = WORDS[page][locale];
  const isUndo = page === 'unsubscribe' && query.get('undo') === 'true';
  if (!TOKEN.test(token)) return invalid(exchange, words, locale);
  const action = `/${page}?token=${token}&lang=${locale}`;
  if (exchange.request.method !== 'POST')
    return serve(exchange, 200, pageOf(words, locale, words.question, { action, button: words.button }));
  const isDone =
    page === 'confirm-email'
      ? await request(exchange, confirmEmail, { token })
      : await request(exchange, changeSubscription, { token, subscribed: isUndo });
  if (!isDone) return invalid(exchange, words, locale);
  const undo = words.undo && !isUndo ? { action: `${action}&undo=true`, button: words.undo.button } : null;
  serve(exchange, 200, pageOf(words, locale, isUndo ? words.undo!.done : words.done, undo));
}

/** Whether the service knows the token; throws any other error. */
async function request(exchange: Exchange, operation: Operation, input: object): Promise<boolean> {
  const context = publicContext(exchange, operation, 'live');
  const { error } = await exchange.dependencies.calls.request(operation, JSON.stringify(input), context);
  if (error && error.details.reason !== 'resource_not_found') throw AppError.fromBody(error);
  return error === null;
}

function invalid(exchange: Exchange, words: Words, locale: Locale): void {
  exchange.dependencies.linkAttempts.note(exchange.network);
  serve(exchange, 404, pageOf(words, locale, words.invalid, null));
}

const serve = (exchange: Exchange, status: number, html: string): void =>
  exchange.serve('text/html; charset=utf-8', Buffer.from(html), 'no-store', HEADERS, status);

interface Form {
  action: string;
  button: string;
}

function pageOf({ title }: Words, locale: Locale, text: string, form: Form | null): string {
  // The token consists of letters, digits, `_`, `-` and dots; everything else is ours.
  const button = form
    ? `<form method="post" action="${form.action.replaceAll('&', '&amp;')}"><button>${form.button}</button></form>`
    : '';
  return `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:18px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem}
button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#0a6ebd;color:#fff}</style>
<h1>${title}</h1><p>${text}</p>${button}</html>`;
}
