import { Injectable } from '@nestjs/common';
import { FreeTexts, isSealed, type TextPlace } from '@swim/mongo';
import type { SessionPlan } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';

type Whose = Pick<SessionDocument, '_id' | 'accountId' | 'memberId'>;
type Field = 'notes' | 'price_reason' | 'cancellation_reason' | `answer:${string}`;
type Done = SessionDocument['ops'][number];

const placeOf = ({ _id, accountId, memberId }: Whose, field: Field): TextPlace => ({
  owner: { id: memberId, accountId },
  field,
  documentId: _id,
});

/** A stored idempotent answer of a session. */
interface SealedAnswer {
  sealed: string | null;
}

/** Encrypts texts of sessions with the key of the session's member. */
@Injectable()
export class SessionTexts {
  constructor(private readonly texts: FreeTexts) {}

  /** The session with its texts decrypted; null where the key was destroyed. */
  async open(stored: SessionDocument): Promise<SessionDocument> {
    const { notes, cancellation, priceReason } = stored;
    if (![notes, cancellation?.reason, priceReason].some(isSealed)) return stored;
    const [text, reason, priced] = await Promise.all([
      this.texts.open(notes, placeOf(stored, 'notes')),
      this.texts.open(cancellation?.reason, placeOf(stored, 'cancellation_reason')),
      this.texts.open(priceReason, placeOf(stored, 'price_reason')),
    ]);
    return { ...stored, notes: text, priceReason: priced, cancellation: cancellation && { ...cancellation, reason } };
  }

  /** The fields of a session as stored. */
  async seal<F extends Partial<SessionDocument>>(fields: F, whose: Whose): Promise<F> {
    const { notes, priceReason, cancellation, ops } = fields;
    const sealed = { ...fields };
    if (typeof notes === 'string') sealed.notes = await this.sealText(notes, placeOf(whose, 'notes'));
    if (typeof priceReason === 'string')
      sealed.priceReason = await this.sealText(priceReason, placeOf(whose, 'price_reason'));
    if (typeof cancellation?.reason === 'string') {
      const reason = await this.sealText(cancellation.reason, placeOf(whose, 'cancellation_reason'));
      sealed.cancellation = { ...cancellation, reason };
    }
    if (ops?.some(isPlain)) sealed.ops = await Promise.all(ops.map((op) => this.sealAnswer(op, whose)));
    return sealed;
  }

  /** The stored answer of a change; undefined when its key was destroyed. */
  async openAnswer({ id, data }: Done, whose: Whose): Promise<unknown> {
    const { sealed } = JSON.parse(data) as SealedAnswer;
    const bytes = sealed === null ? null : Buffer.from(sealed, 'base64');
    const text = await this.texts.open(bytes, placeOf(whose, `answer:${id}`));
    return text === null ? undefined : JSON.parse(text);
  }

  /** A plan as stored with its claim: its texts are encrypted with the key of its first member. */
  async sealPlan(plan: SessionPlan): Promise<SessionPlan> {
    const reasons = plan.sessions.map(({ priceReason = null }) => priceReason);
    const hasReasons = reasons.some((reason) => reason !== null);
    const [notes, sealed] = await Promise.all([
      this.texts.seal(plan.notes, placeOfPlan(plan, 'notes')),
      this.texts.seal(hasReasons ? JSON.stringify(reasons) : null, placeOfPlan(plan, 'price_reason')),
    ]);
    return {
      ...plan,
      notes: null,
      sessions: plan.sessions.map(({ priceReason: _, ...session }) => session),
      ...(notes ? { sealedNotes: notes.toString('base64') } : {}),
      ...(sealed ? { sealedReasons: sealed.toString('base64') } : {}),
    };
  }

  async openPlan({ sealedNotes, sealedReasons, ...plan }: SessionPlan): Promise<SessionPlan> {
    const opened = async (sealed: string | undefined, field: 'notes' | 'price_reason') =>
      sealed === undefined ? null : this.texts.open(Buffer.from(sealed, 'base64'), placeOfPlan(plan, field));
    const notes = (await opened(sealedNotes, 'notes')) ?? plan.notes;
    const reasons = JSON.parse((await opened(sealedReasons, 'price_reason')) ?? '[]') as (string | null)[];
    const sessions = plan.sessions.map((session, index) => ({ ...session, priceReason: reasons[index] ?? null }));
    return { ...plan, notes, sessions };
  }

  // The ciphertext is stored in the text's field: readers must decrypt it first.
  private async sealText(text: string, place: TextPlace): Promise<string | null> {
    return (await this.texts.seal(text, place)) as unknown as string | null;
  }

  private async sealAnswer(op: Done, whose: Whose): Promise<Done> {
    if (!isPlain(op)) return op;
    const sealed = await this.texts.seal(op.data, placeOf(whose, `answer:${op.id}`));
    return { ...op, data: JSON.stringify({ sealed: sealed?.toString('base64') ?? null } satisfies SealedAnswer) };
  }
}

const isPlain = ({ data }: Done): boolean => !data.startsWith('{"sealed":');

const placeOfPlan = ({ accountId, bookingId, sessions }: SessionPlan, field: 'notes' | 'price_reason'): TextPlace => {
  const { id, memberId } = sessions[0]!;
  return placeOf({ _id: bookingId ?? id, accountId, memberId }, field);
};
