import type { ConnectionEnd } from './connection-end.schema.js';

/** A plan or session of a member, with the generation of the connection by which it was planned; absent: before there was one. */
export interface Planned {
  memberId: string;
  connectionGen?: number | undefined;
}

/** Whether it is void: the connection has ended since, or its account has left the member out. */
export const isVoid = ({ end, left }: ConnectionEnd, { memberId, connectionGen = 0 }: Planned): boolean =>
  (end !== null && connectionGen < end.generation) ||
  left.some((each) => each.memberId === memberId && connectionGen < each.generation);

/** What the end of a connection makes void, as stored, and as by whom; the same for each member that was left out. */
export function voidBy({ end, left, schoolId, accountId }: ConnectionEnd) {
  const before = (generation: number) => ({
    readers: accountId,
    accountId,
    schoolId,
    // Absent before there was one.
    connectionGen: { $not: { $gte: generation } },
  });
  const ended = end && { by: end.by, notify: end.notify, filter: before(end.generation) };
  const without = left.map(({ memberId, generation, isQuiet = false }) => ({
    by: 'family' as const,
    notify: !isQuiet,
    filter: { ...before(generation), memberId },
  }));
  return [...(ended ? [ended] : []), ...without];
}
