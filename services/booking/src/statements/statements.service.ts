import { Injectable } from '@nestjs/common';
import { countLessons, getAccount, getStatement, type ParsedOf, type Statement } from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { BookingsService } from '../bookings/making/bookings.service.js';
import { daysOf, sumsOf } from './statement.rules.js';

/** A school's account of a month: money from the ledgers of its bookings, lessons from scheduling. */
@Injectable()
export class StatementsService {
  constructor(
    private readonly bookings: BookingsService,
    private readonly rpc: RpcClient,
  ) {}

  @Serve(getStatement)
  async get(
    { account_id, month, ...query }: ParsedOf<typeof getStatement>,
    context: RequestContext,
  ): Promise<Statement> {
    const { accountId, kind } = context.principal;
    if (account_id !== accountId) throw new AppError('foreign_account');
    if (kind !== 'school') throw new AppError('school_only');
    const { timezone, currency: own } = await this.rpc.call(getAccount, { account_id }, context);
    const currency = query.currency ?? own;
    const days = daysOf(month, timezone);
    const [from, to] = [days.boundaries[0]!, days.boundaries.at(-1)!];
    const [movements, { counts }] = await Promise.all([
      this.bookings.sumMovements({ from, to, currency }, context),
      this.rpc.call(countLessons, { boundaries: days.boundaries, currency }, context),
    ]);
    return { account_id, month, timezone, currency, ...sumsOf(days, movements, counts) };
  }
}
