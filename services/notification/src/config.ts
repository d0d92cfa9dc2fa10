import { readConfig, secret, serviceConfig } from '@swim/platform';
import { z } from 'zod';

/** Settings of the notification service from its environment. */
export const config = readConfig(
  z
    .object({
      ...serviceConfig,
      /** Days for which an event is listed (contract, Events and webhooks). */
      EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(90),
      /** Seconds between two purges of older events. */
      PURGE_INTERVAL_SECONDS: z.coerce.number().int().min(1).default(3_600),
      /** Failed attempts, while other events succeed, after which an event goes to the dead letters. */
      EVENT_MAX_ATTEMPTS: z.coerce.number().int().min(1).default(20),
      /**
       * Seconds to wait for an event's predecessor, of the same object. After that it is stored without it: an event out of
       * order does less harm than a lost one.
       */
      EVENT_ORDER_WAIT_SECONDS: z.coerce.number().int().min(0).default(180),
      /**
       * Whether webhooks of the sandbox may be sent to loopback and private addresses, for development; never to link-local
       * ones. Live webhooks never may.
       */
      WEBHOOK_ALLOW_PRIVATE: z.stringbool().default(false),
      /**
       * The mail server, `smtp://` or `smtps://` with user and password: `smtps://user:password@mail.example:465`. Without it no
       * e-mails are sent, and none wait.
       */
      SMTP_URL: secret(
        z
          .string()
          .regex(/^smtps?:\/\/\S+$/, { error: 'must be smtp:// or smtps://' })
          .optional(),
      ),
      /** The sender of e-mails, an address or `Name <address>`; required with SMTP_URL. */
      MAIL_FROM: z
        .string()
        .regex(/^[^\p{Cc}]+@[^\p{Cc}\s]+$/u, { error: 'must be an address, or a name and an <address>' })
        .optional(),
      /** Where the gateway is reached from outside: links in e-mails begin with it. */
      PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:8080'),
    })
    .refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined, {
      path: ['MAIL_FROM'],
      error: 'is required with SMTP_URL',
    }),
);

export type Config = typeof config;
