import { Injectable } from '@nestjs/common';
import type { Account, Locale, Principal } from '@swim/contracts';
import { asSystem, Databases, onceFor, Repository, setOrUnset } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { type AccountPolicies, MOST_INSTRUCTOR_LINKS, policiesOfErased } from './account.rules.js';
import { type AccountDocument, accountSchema, type PendingEmail } from './account.schema.js';

const DAY_MS = 86_400_000;
const MOST_ENDING = 100;
// The schema requires a text.
const ERASED = 'erased';

/** The fields of an account that its owner changes. An address that needs no confirmation any more is undefined. */
export type AccountChange = Partial<Pick<AccountDocument, 'name' | 'email' | 'timezone' | 'locale' | 'metadata'>> &
  Pick<AccountDocument, 'pendingEmail' | 'confirmationDueAt' | 'confirmations'> & {
    policies: Partial<AccountPolicies>;
  };

/** What a school knows of an account. */
export type AccountContact = Pick<AccountDocument, '_id' | (typeof CONTACT)[number]>;

const CONTACT = ['name', 'email', 'locale', 'madeBy', 'invitedAt', 'claimedAt'] as const;
// The maximum of one query.
const MOST_MADE = 60_000;

/** By what accounts are found by their address. */
const emailKeyOf = (email: string): string => email.toLowerCase();

/** With the key of the address, where one is set. */
const keyed = <F extends { email?: string | undefined }>(fields: F) =>
  fields.email === undefined ? fields : { ...fields, emailKey: emailKeyOf(fields.email) };

const GONE = ['erasing', 'erased'];
const AS_READ = ['metadata', 'confirmations'] as const;

const ending = asSystem('the erasure of an account runs without a request');

@Injectable()
export class AccountsRepository extends Repository<AccountDocument> {
  /** Accounts whose link to confirm their address is to be sent. */
  readonly unconfirmed = this.work({
    name: 'email confirmations',
    due: 'confirmationDueAt',
    reason: 'links to confirm addresses are sent to all accounts',
  });

  /** Accounts that schools have not made completely. */
  readonly halfMade = this.work({
    name: 'accounts that schools make',
    due: 'makingDueAt',
    reason: 'accounts without a connection are erased',
  });

  constructor(private readonly databases: Databases) {
    super(databases.collection('accounts', accountSchema));
  }

  /** The requesting account. */
  async findOwn(accountId: string): Promise<AccountDocument | null> {
    return this.lookUp({ accountId }, accountId);
  }

  /** Any account, for decisions that depend on its kind and policies. */
  async findAny(accountId: string): Promise<AccountDocument | null> {
    return this.lookUp(asSystem('kind and policies of an account govern what others may do'), accountId);
  }

  /** Any accounts, for what messages need of them, and for the later of two clocks. */
  findAll(accountIds: readonly string[]): Promise<AccountDocument[]> {
    return this.lookUpAll(asSystem('what accounts share depends on all of them'), accountIds);
  }

  /** Names and addresses of these accounts that are not erased, for the school that they have a connection with. */
  findContacts(accountIds: readonly string[]): Promise<AccountContact[]> {
    const scope = asSystem('a school knows the accounts that have a connection with it');
    const these = { _id: mongoose.trusted({ $in: [...accountIds] }), state: mongoose.trusted({ $nin: GONE }) };
    return this.findPicked(scope, these, CONTACT, {
      limit: accountIds.length,
    });
  }

  /** The accounts that this school has made, and that have one of these addresses, whatever their case, and are not erased. */
  async findMadeWith(schoolId: string, emails: readonly string[]): Promise<AccountContact[]> {
    const keys = new Set(emails.map(emailKeyOf));
    // Null is that of an account which was stored without one.
    const these = {
      madeBy: schoolId,
      emailKey: mongoose.trusted({ $in: [...keys, null] }),
      state: mongoose.trusted({ $nin: GONE }),
    };
    const scope = asSystem('a school finds the accounts that it has made');
    const found = await this.findPicked(scope, these, CONTACT, { limit: MOST_MADE });
    return found.filter(({ email }) => keys.has(emailKeyOf(email)));
  }

  /** open → closing, until `erasesAt`, once for the request; an account in a later state stays unchanged. */
  markClosing(context: RequestContext, erasesAt: Date): Promise<boolean> {
    const update = { $set: { state: 'closing', erasesAt } };
    return this.changeOwn(context, { filter: { state: null }, update }, erasesAt);
  }

  /** closing → open, unless its period was over at `now`, once for the request; returns whether it did. */
  markReopened(context: RequestContext, now: Date, answer: Account): Promise<boolean> {
    const update = { $unset: { state: 1, erasesAt: 1 } };
    return this.changeOwn(context, { filter: { state: 'closing', erasesAt: { $gt: now } }, update }, answer);
  }

  /** open → erasing at once; returns whether it did. */
  markErasing({ principal }: RequestContext): Promise<boolean> {
    const open = { _id: principal.accountId, state: null, ...stillActing(principal) };
    return this.update(ending, open, { $set: { state: 'erasing' } });
  }

  /** closing → erasing when its period is over at `now`; returns whether it did. */
  markDueErasing(_id: string, now: Date): Promise<boolean> {
    return this.update(ending, { _id, state: 'closing', erasesAt: { $lte: now } }, { $set: { state: 'erasing' } });
  }

  /** Erases an account that this school has made and nobody has claimed: → erasing; returns whether it does. `isHalf`: only one half made. */
  eraseUnclaimed(accountId: string, schoolId: string, { isHalf = false } = {}): Promise<boolean> {
    const half = isHalf ? { makingDueAt: mongoose.trusted({ $type: 'date' }) } : {};
    const open = { madeBy: schoolId, claimedAt: null, state: mongoose.trusted({ $in: [null, 'closing'] }), ...half };
    return this.update(ending, { _id: accountId, ...open }, { $set: { state: 'erasing' } });
  }

  /** Corrects an account that nobody has claimed, by its school; returns whether it did. */
  correctUnclaimed(
    accountId: string,
    schoolId: string,
    facts: Pick<AccountDocument, 'name' | 'email'> & { locale: Locale | undefined },
  ): Promise<boolean> {
    return this.update(
      ending,
      { _id: accountId, madeBy: schoolId, claimedAt: null, state: null },
      setOrUnset(keyed(facts)),
    );
  }

  /** Records that all of an account that a school makes is stored. */
  async markMade(accountId: string): Promise<void> {
    await this.update({ accountId }, { _id: accountId }, { $unset: { makingDueAt: 1 } });
  }

  /** The instant in this many ms, by the database's clock. */
  inMs(delayMs: number): Date {
    return this.databases.clock.inMs(delayMs);
  }

  /** Accounts whose period for a restore is over at `now`, and those whose erasure has begun. */
  findEnding(now: Date): Promise<AccountDocument[]> {
    const over = [{ state: 'erasing' }, { state: 'closing', erasesAt: mongoose.trusted({ $lte: now }) }];
    // States the condition of the partial index, which is used only then.
    const due = { state: { $type: 'string' }, $or: over };
    return this.findUnlessQuiet(ending, 'endings', now, () => this.findMany(ending, due, {}, MOST_ENDING));
  }

  /**
   * Removes all fields of an account but those that existing bookings of others depend on; it has no readers from then on.
   * Idempotent.
   */
  async empty(accountId: string): Promise<void> {
    const known = await this.lookUp(ending, accountId);
    if (!known || known.state === 'erased') return;
    const { _id, kind, currency, policies, createdAt } = known;
    const rest = {
      kind,
      currency,
      policies: policiesOfErased(policies),
      createdAt,
      state: 'erased',
      readers: [],
      timezone: 'UTC',
    };
    const options = { asSystem: 'an erasure' } as object;
    // Replaced as a whole, so that fields added later are removed too.
    await this.model(ending).replaceOne({ _id }, { ...rest, name: ERASED, email: ERASED }, options);
  }

  /** Stores an account; an existing one stays unchanged. */
  async insert(account: AccountDocument): Promise<void> {
    await this.tryInsert(asSystem('a new document names its readers itself'), keyed(account));
  }

  /** Makes a pending address the account's, if it is still to be confirmed; returns whether it was. */
  confirmEmail(accountId: string, { id, address }: PendingEmail, now: Date): Promise<boolean> {
    const isCurrent = { 'pendingEmail.id': id, 'pendingEmail.expiresAt': mongoose.trusted({ $gt: now }) };
    const change = {
      $set: { ...keyed({ email: address }), emailConfirmedAt: now, confirmedBy: id },
      $unset: { pendingEmail: 1, confirmationDueAt: 1 },
    };
    const scope = asSystem('the token of the link names the account');
    return this.update(scope, { _id: accountId, ...isCurrent, state: mongoose.trusted({ $ne: 'erased' }) }, change);
  }

  /** Records that this address of an account is confirmed, unless the account has another one by now. */
  async markConfirmed(accountId: string, email: string, now: Date): Promise<void> {
    await this.update({ accountId }, { _id: accountId, email }, { $set: { emailConfirmedAt: now } });
  }

  /** Adds a link to an instructor's address; false when the limit of a day is reached. */
  takeInstructorLink(_id: string, link: { id: string; at: Date }): Promise<boolean> {
    const since = new Date(link.at.getTime() - DAY_MS);
    const mayAdd = [
      { [`instructorLinks.${MOST_INSTRUCTOR_LINKS - 1}`]: mongoose.trusted({ $exists: false }) },
      { 'instructorLinks.0.at': mongoose.trusted({ $lte: since }) },
    ];
    const added = { instructorLinks: { $each: [link], $slice: -MOST_INSTRUCTOR_LINKS } };
    return this.update({ accountId: _id }, { _id, $or: mayAdd }, { $push: added });
  }

  /**
   * Sets the given fields and the given policies one by one, once for the request: concurrent changes of different fields do not
   * undo each other. Metadata and the address to confirm are set only if they are as they were read in `before`; otherwise nothing
   * is, and the result is false.
   */
  async markChanged(
    context: RequestContext,
    before: AccountDocument,
    { policies, ...fields }: AccountChange,
    answer: Account,
  ): Promise<boolean> {
    const named = Object.entries(policies).map(([name, value]) => [`policies.${name}`, value]);
    const changed = setOrUnset({ ...keyed(fields), ...Object.fromEntries(named) });
    const read = AS_READ.filter((field) => field in fields);
    const asRead = read.map((field) => [field, before[field] ? { $eq: before[field] } : null]);
    if (Object.keys(fields).length + named.length === 0) return true;
    return this.changeOwn(context, { filter: Object.fromEntries(asRead), update: changed }, answer);
  }

  private changeOwn(
    context: RequestContext,
    change: { filter: object; update: object },
    answer: unknown,
  ): Promise<boolean> {
    const { env, accountId } = context.principal;
    const { filter, update } = onceFor(context, change, answer);
    const own = { ...filter, _id: accountId, ...stillActing(context.principal) };
    return this.update({ env, accountId }, own, update, context.deadline);
  }
}

/** A school acts for an account until somebody claims it: the write itself decides between the two. */
const stillActing = ({ actingSchoolId }: Principal) => (actingSchoolId === undefined ? {} : { claimedAt: null });
