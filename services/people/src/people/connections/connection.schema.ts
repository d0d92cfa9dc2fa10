import type { Connection, ConnectionSide } from '@swim/contracts';
import { type Aggregate, aggregateSchema, type Clocked, indexDue } from '@swim/mongo';

/**
 * What a school may know of an account: one document for the two, whatever ends and begins anew. What was planned in an earlier
 * generation than that of an end is void.
 */
export interface ConnectionDocument extends Aggregate, Clocked {
  /** Ids of the school and the account; unique. */
  pair: string;
  schoolId: string;
  accountId: string;
  memberIds: string[];
  status: Connection['status'];
  origin: Connection['origin'];
  externalId?: string | null;
  /** Ids of the school for members that it has made; absent without one. */
  externalMembers?: { memberId: string; externalId: string }[];
  /** The latest import of the school that has made or changed it; null after a reset. */
  importId?: string | null;
  /** When it ends by itself, in real time, unless the account does something before; null once it has ended. */
  endsAt: Date | null;
  /** By the account's clock. */
  endedAt: Date | null;
  endedBy: ConnectionSide | null;
  /** Increases with each end, and each change that leaves a member out. */
  generation: number;
  /** The last end: lessons of an earlier generation are cancelled. It stays when the connection begins anew. */
  end: { generation: number; by: ConnectionSide; notify: boolean } | null;
  /** When that was, in real time; absent where it has never ended. */
  lastEndedAt?: Date;
  /** Members that the account has left out: their lessons of an earlier generation are cancelled. */
  left: { memberId: string; generation: number; isQuiet?: boolean | undefined }[];
  /** The generation up to which void lessons are cancelled. */
  cancelled: number;
  /** The next step of the work; null when nothing is left to do. */
  step: string | null;
  /** When a replica goes on with it; null when nothing is left to do. */
  dueAt: Date | null;
}

const text = { type: String, required: true };

/** Collection `connections`. */
export const connectionSchema = aggregateSchema<ConnectionDocument>({
  pair: text,
  schoolId: text,
  accountId: text,
  memberIds: [String],
  status: text,
  origin: text,
  externalId: String,
  externalMembers: { type: [{ _id: false, memberId: String, externalId: String }], default: undefined },
  importId: String,
  endsAt: { type: Date, default: null },
  endedAt: { type: Date, default: null },
  endedBy: { type: String, default: null },
  generation: { type: Number, required: true },
  end: { type: { _id: false, generation: Number, by: String, notify: Boolean }, default: null },
  lastEndedAt: Date,
  left: [{ _id: false, memberId: String, generation: Number, isQuiet: Boolean }],
  cancelled: { type: Number, required: true },
  step: { type: String, default: null },
  dueAt: { type: Date, default: null },
  clockOffsetMs: Number,
});
// For the connection of a school and an account.
connectionSchema.index({ pair: 1 }, { unique: true, partialFilterExpression: { pair: { $type: 'string' } } });
// For `GET /connections`; the reset and the erasure of an account.
connectionSchema.index({ readers: 1, _id: -1 });
// At most one family of a school has an id. The index is partial: few have one.
connectionSchema.index(
  { schoolId: 1, externalId: 1 },
  { unique: true, partialFilterExpression: { externalId: { $type: 'string' } } },
);
// At most one member of a school's families has an id.
connectionSchema.index(
  { schoolId: 1, 'externalMembers.externalId': 1 },
  { unique: true, partialFilterExpression: { 'externalMembers.externalId': { $type: 'string' } } },
);
// For the work on connections, each second.
indexDue(connectionSchema, 'dueAt');
// For the ends by time, each second.
indexDue(connectionSchema, 'endsAt');
