import { Injectable } from '@nestjs/common';
import { type cancelUnconnected, connectBooked, type ParsedOf, type TeachingRules } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { systemContext } from '@swim/platform';
import { isVoid, type Planned } from './connection-end.rules.js';
import type { ConnectionEnd } from './connection-end.schema.js';
import { ConnectionEndsRepository } from './connection-ends.repository.js';

export type { ConnectionEnd };

/** What an account has planned with a school, by this generation of their connection. */
export interface PlannedWithSchool {
  schoolId: string;
  accountId: string;
  /** Absent for members of the school itself. */
  connection?: TeachingRules['connection'] | undefined;
}

type Pair = Pick<PlannedWithSchool, 'schoolId' | 'accountId'>;

const idOf = ({ schoolId, accountId }: Pair): string => `${schoolId}|${accountId}`;

/**
 * Connections of accounts with schools, which people owns. An end is marked here before what is void is looked for, and what is planned is
 * compared with the marks once it is stored: one of the two sees the other.
 */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly ends: ConnectionEndsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** Gives the school its right to read these members, unless it has it, before any event or answer shows what they have booked. */
  async connect({ schoolId, accountId, connection }: PlannedWithSchool, memberIds: Iterable<string>): Promise<void> {
    if (!connection || connection.names) return;
    const { generation } = connection;
    const input = { schoolId, accountId, generation, memberIds: [...new Set(memberIds)] };
    await this.rpc.call(connectBooked, input, systemContext(accountId));
  }

  /** Marks an end; returns the latest one. */
  mark({ schoolId, accountId, ...end }: ParsedOf<typeof cancelUnconnected>): Promise<ConnectionEnd> {
    const readers = [schoolId, accountId];
    return this.ends.keepLatest({ _id: idOf({ schoolId, accountId }), readers, schoolId, accountId, ...end });
  }

  /** Whether what was planned for a member is void: its connection has ended since, or its account has left the member out. */
  async isVoid({ schoolId, accountId, memberId, connectionGen = 0 }: Pair & Planned): Promise<boolean> {
    const connection = { generation: connectionGen, names: true };
    return (await this.findEnds([{ schoolId, accountId, connection, members: [memberId] }])).length > 0;
  }

  /** The ends by which one of these is void. */
  async findEnds(planned: readonly (PlannedWithSchool & { members: readonly string[] })[]): Promise<ConnectionEnd[]> {
    const connected = planned.filter(({ connection }) => connection);
    const ends = new Map((await this.ends.findAll(connected.map(idOf))).map((end) => [end._id, end]));
    const met = connected.flatMap(({ connection, members, ...pair }) => {
      const end = ends.get(idOf(pair));
      const plans: Planned[] = members.map((memberId) => ({ memberId, connectionGen: connection!.generation }));
      return end && plans.some((plan) => isVoid(end, plan)) ? [end] : [];
    });
    return [...new Set(met)];
  }
}
