import type { MESSAGE_REASONS, MESSAGE_STATUSES, MessageKind } from '@swim/contracts';
import { indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';

/** A lesson in a message: ids and times, no names. */
export interface MessageLesson {
  sessionId: string;
  memberId: string;
  instructorId: string;
  date: string;
  endDate: string;
  /** SEQUENCE of its calendar entry. */
  sequence: number;
  /** The start before it was moved. */
  formerDate?: string;
  /** The other changes of a lesson, in a message about a change. */
  changed?: ('place' | 'instructor' | 'time')[];
}

/** What a message is about, by its kind. Names and addresses are requested when it is sent. */
export type MessageContent =
  | {
      about: 'lessons';
      lessons: MessageLesson[];
      /** Whether the instructor has taken over the lesson (`to`) or another one has (`from`). */
      handOver?: 'to' | 'from';
      /** Whether the account of that instructor is written about the same event. */
      isAccountTold?: boolean;
    }
  | {
      about: 'offer';
      waitlistId: string;
      /** The lesson in which a place is offered, or the class, whose first lesson this is; both absent where a time is. */
      lessonId?: string;
      classId?: string;
      holdId: string;
      memberId: string;
      instructorId: string;
      date: string;
      endDate: string;
      expiresAt: string;
    }
  | { about: 'payment'; paymentId: string; bookingId: string; amountCents: number; currency: string }
  | { about: 'endpoint'; endpointId: string; host: string; cause: 'gone' | 'failing' }
  | { about: 'address'; confirmationId: string }
  /** A link for a user of the dashboard: people says what for, and to whom. */
  | { about: 'user'; linkId: string };

/** Messages to users have a kind of their own, and no readers: they are in no list of the account's. */
export type StoredMessageKind = MessageKind | 'user_link';

/**
 * A message to an account or its instructor, about one event or about the events of one request. While it has a `group`, further events of
 * that are added. While it is pending it is due at an instant.
 */
export interface MessageDocument {
  /** `msg_…`, derived from its first event. */
  _id: string;
  accountId: string;
  readers: string[];
  /** The account's instructor to whom it is sent; absent when that is the account itself. */
  instructorId?: string;
  kind: StoredMessageKind;
  content: MessageContent;
  /** The account's copies of the events. */
  eventIds: string[];
  /** Account and group; absent once it is claimed, or without a group. */
  group?: string;
  status: (typeof MESSAGE_STATUSES)[number];
  reason: (typeof MESSAGE_REASONS)[number] | null;
  /** The masked address of the latest try. */
  recipient: string | null;
  attempts: number;
  /** SMTP reply code of the latest try, with its enhanced code: no text of the server, which may name the address. */
  lastResponse: string | null;
  /** When it is to be sent, or a lease of it ends; null when nothing is left to do. */
  dueAt?: Date | null;
  sentAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const messageSchema = new Schema<MessageDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    readers: { type: [String], required: true },
    instructorId: String,
    kind: { type: String, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    eventIds: { type: [String], required: true },
    group: String,
    status: { type: String, required: true },
    reason: { type: String, default: null },
    recipient: { type: String, default: null },
    attempts: { type: Number, required: true },
    lastResponse: { type: String, default: null },
    dueAt: Date,
    sentAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, minimize: false },
);

// For `GET /accounts/{id}/messages`; export and erasure of an account.
messageSchema.index({ accountId: 1, createdAt: -1, _id: -1 });
// An event that is delivered again is in a message already, which may be about other events too.
// For the check whether an event that is delivered again has an e-mail.
messageSchema.index({ eventIds: 1 });
// One e-mail of a group waits for further events.
messageSchema.index({ group: 1 }, { unique: true, partialFilterExpression: { group: { $type: 'string' } } });
// Messages that are sent or abandoned are not in it.
// For claims of due e-mails, each second.
indexDue(messageSchema, 'dueAt');
