import type { ConnectionSide } from '@swim/contracts';
import type { ConnectionDocument } from './connection.schema.js';

/** What the rules of a connection depend on. */
export type ConnectionState = Pick<
  ConnectionDocument,
  'memberIds' | 'status' | 'origin' | 'endedAt' | 'endedBy' | 'generation' | 'end' | 'left'
>;

/** The members that a connection gets, and by what. */
export interface Joining {
  memberIds: readonly string[];
  origin: ConnectionState['origin'];
}

/** A connection that begins. */
export const newConnection = ({ memberIds, origin }: Joining): ConnectionState => ({
  memberIds: [...memberIds],
  status: 'active',
  origin,
  endedAt: null,
  endedBy: null,
  generation: 1,
  end: null,
  left: [],
});

/** Whether what was planned for a member in this generation is void: the connection has ended since, or the member was left out. */
export const isVoid = (
  { end, left }: Pick<ConnectionState, 'end' | 'left'>,
  generation: number,
  memberId: string,
): boolean =>
  (end !== null && generation < end.generation) ||
  left.some((each) => each.memberId === memberId && generation < each.generation);

const ACTIVE = { status: 'active', endedAt: null, endedBy: null } as const;

/** Whether only the school can begin it anew. */
export const isEndedBySchool = ({ status, endedBy }: Pick<ConnectionState, 'status' | 'endedBy'>): boolean =>
  status === 'ended' && endedBy === 'school';

/** The connection with these members, too; with them alone where it had ended. Null when it names them already. */
export function joined(now: ConnectionState, { memberIds, origin }: Joining): Partial<ConnectionState> | null {
  if (now.status === 'ended') return { ...ACTIVE, memberIds: [...memberIds], origin };
  const added = memberIds.filter((id) => !now.memberIds.includes(id));
  return added.length === 0 ? null : { memberIds: [...now.memberIds, ...added] };
}

/** The connection with these members alone; null when it has just them. Lessons of those left out are of an earlier generation. */
export function withMembers(
  now: ConnectionState,
  memberIds: readonly string[],
  { isQuiet }: { isQuiet: boolean },
): Partial<ConnectionState> | null {
  const leaving = now.memberIds.filter((id) => !memberIds.includes(id));
  if (leaving.length === 0) return joined(now, { memberIds, origin: now.origin });
  const generation = now.generation + 1;
  const stay = now.left.filter(({ memberId }) => !leaving.includes(memberId));
  const left = [...stay, ...leaving.map((memberId) => ({ memberId, generation, ...(isQuiet ? { isQuiet } : {}) }))];
  return { memberIds: [...memberIds], generation, left };
}

/** The connection once this side has ended it. It keeps its members, whom a school that reopens it reads again. */
export function ended(
  { generation: last }: ConnectionState,
  by: ConnectionSide,
  { at, notify }: { at: Date; notify: boolean },
): Partial<ConnectionState> {
  const generation = last + 1;
  return { status: 'ended', endedAt: at, endedBy: by, generation, end: { generation, by, notify } };
}

/** The connection once its school has reopened it. */
export const reopened = (): Partial<ConnectionState> => ACTIVE;
