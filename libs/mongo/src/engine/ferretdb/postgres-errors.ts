/** Messages of PostgreSQL and its connection pool, which the engine passes on, mostly under the code 1. */
const POSTGRES_IS_AWAY = new RegExp(
  [
    'failed to connect',
    'Acquire\\): ',
    'not (?:yet )?accepting connections',
    'starting up',
    'shutting down',
    'recovery mode',
    'terminating connection',
    'postmaster exit',
    'server closed the connection',
    'crash of another server process',
    'too many clients',
    'connection slots are reserved',
    'unexpected EOF',
    'conn(?:ection)? (?:is )?(?:closed|busy|lost|refused|reset)',
    'closed pool',
    'broken pipe',
    'i/o timeout',
    'context (?:deadline exceeded|canceled)',
    'canceling statement due to',
    'deadlock detected',
    'could not serialize access',
    'SQLSTATE (?:08|40|53|57P|58)',
  ].join('|'),
  'i',
);
const INTERNAL = 1;

/** Whether an error of the engine says that PostgreSQL cannot be reached, or undid the work. */
export const isPostgresAway = ({ code, message }: { code?: unknown; message: string }): boolean =>
  code === INTERNAL || POSTGRES_IS_AWAY.test(message);

/** Whether PostgreSQL undid a write because it would have waited for another one forever. */
export const isPostgresDeadlock = ({ message }: { message: string }): boolean => /deadlock detected/i.test(message);
