import {
  type Connection,
  claimSandboxFamily,
  createConnection,
  createFamily,
  createMember,
  endConnection,
  getConnection,
  inviteFamily,
  type NewFamily,
  type Principal,
  updateConnection,
} from '@swim/contracts';
import { retried } from '@swim/testing';
import type { PeopleHarness } from '../harness.js';
import { importWrites } from '../imports/retried-imports.js';

const KIDS = ['first', 'second'].map((name) => ({ name, date_of_birth: '2017-05-04', external_id: name }));
const FAMILY = { name: 'The Kims', email: 'kims@example.test', external_id: 'first', members: KIDS };

/** The writes of connections, families and imports, each with the write of another client that comes between. */
export function connectionWrites(
  call: PeopleHarness['harness']['call'],
  anAccount: (overrides?: Partial<Principal>) => Promise<Principal>,
) {
  async function aPair() {
    const [school, family] = [await anAccount({ kind: 'school' }), await anAccount()];
    const kid = { account_id: family.accountId, name: 'Kid', date_of_birth: '2017-05-04' };
    const member_ids = [(await call(createMember, kid, { principal: family })).id];
    const input = { school_id: school.accountId, member_ids };
    const other = (await call(createMember, kid, { principal: family })).id;
    const end = ({ id: connection_id }: Pick<Connection, 'id'>) =>
      call(endConnection, { connection_id }, { principal: school });
    const look = ({ id: connection_id }: Pick<Connection, 'id'>) =>
      call(getConnection, { connection_id }, { principal: family });
    return { school, family, input, other, end, look };
  }
  const see = (connection_id: string, principal: Principal) => call(getConnection, { connection_id }, { principal });
  const renamed = (connection_id: string, principal: Principal) =>
    call(updateConnection, { connection_id, changes: { external_id: 'second' } }, { principal });
  return [
    retried(createFamily, async () => {
      const principal = await anAccount({ kind: 'school' });
      const rename = ({ connection_id }: NewFamily) => renamed(connection_id, principal);
      return { principal, input: FAMILY, rival: rename, look: ({ connection_id }) => see(connection_id, principal) };
    }),
    ...[inviteFamily, claimSandboxFamily].map((operation) =>
      retried(operation, async () => {
        const principal = await anAccount({ kind: 'school' });
        const { account_id, connection_id } = await call(createFamily, FAMILY, { principal });
        const rival = () => renamed(connection_id, principal);
        return { principal, input: { account_id }, rival, look: () => see(connection_id, principal) };
      }),
    ),
    retried(createConnection, async () => {
      const { family: principal, input, end, look } = await aPair();
      return { principal, input, rival: end, look };
    }),
    retried(updateConnection, async () => {
      const { family: principal, input, other, end, look } = await aPair();
      const made = await call(createConnection, input, { principal });
      const changes = { member_ids: [other] };
      return { principal, input: { connection_id: made.id, changes }, rival: () => end(made), look: () => look(made) };
    }),
    retried(endConnection, async () => {
      const { school: principal, family, input, look } = await aPair();
      const made = await call(createConnection, input, { principal: family });
      const reopening = { connection_id: made.id, changes: { status: 'active' as const } };
      return {
        principal,
        input: { connection_id: made.id },
        rival: () => call(updateConnection, reopening, { principal }),
        look: () => look(made),
      };
    }),
    ...importWrites(call, () => anAccount({ kind: 'school' })),
  ];
}
