import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { type Role, useMe } from '../../api/me.ts';
import { useInstructorChoice } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { ChangeDialog } from '../../design/change-dialog.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { Section, Shown } from '../../design/page.tsx';
import { Table } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { type KeyOfUser, KeysOfUserDialog } from './keys-of-user-dialog.tsx';

/** The roles that a change may give. An instructor is invited as such. */
const ROLES = {
  family: ['owner', 'admin', 'developer', 'viewer', 'guardian'],
  school: ['owner', 'admin', 'developer', 'viewer'],
} as const;

interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: string;
}

/** The keys that a user has made, who was removed or may do less than before. */
interface Left {
  readonly name: string;
  readonly keys: readonly KeyOfUser[];
}

const USERS = ['users'];
const INVITATIONS = ['invitations'];

function useChange<T, R>(queryKey: string[], mutationFn: (value: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey }) });
}

function useRoleOptions(...more: Role[]) {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  return [...ROLES[kind], ...more].map((value) => ({ value, label: t(`role.${value}`) }));
}

interface RemoveProps {
  readonly user: User;
  readonly onRemoved: (left: Left) => void;
  readonly onClose: () => void;
}

function RemoveDialog({ user: { id, name, email }, onRemoved, onClose }: RemoveProps) {
  const { t } = useLanguage();
  const remove = useChange(USERS, () => dashboardApi.remove<Left>(`/users/${id}`));
  const onSuccess = ({ keys }: Left) => onRemoved({ name, keys });
  return (
    <ChangeDialog
      title={t('settings.removeUser', { name })}
      change={remove}
      onContinue={() => remove.mutate(undefined, { onSuccess })}
      onClose={onClose}
    >
      <p>{t('settings.removeText', { email })}</p>
    </ChangeDialog>
  );
}

function RoleChoice({ user: { name, role }, onChange }: { user: User; onChange: (role: Role) => void }) {
  const { t } = useLanguage();
  const options = useRoleOptions(...(role === 'instructor' ? [role] : []));
  return <Choice label={t('settings.roleOf', { name })} hideLabel value={role} options={options} onChange={onChange} />;
}

/** The users of the account; owners change roles and remove users. */
function Users() {
  const { t, named } = useLanguage();
  const { user: me } = useMe();
  const query = useQuery({ queryKey: USERS, queryFn: () => dashboardApi.get<User[]>('/users') });
  const [left, setLeft] = useState<Left | null>(null);
  const [removed, setRemoved] = useState<User | null>(null);
  const change = useChange(USERS, ({ id, role }: User) => dashboardApi.patch<Left>(`/users/${id}`, { role }));
  const offerKeys = (of: Left) => {
    setRemoved(null);
    setLeft(of);
  };
  const mayChange = ({ id }: User) => me.role === 'owner' && id !== me.id;
  const roleOf = (user: User) => {
    if (!mayChange(user)) return named('role', user.role);
    const onSuccess = ({ keys }: Left) => offerKeys({ name: user.name, keys });
    return <RoleChoice user={user} onChange={(role) => change.mutate({ ...user, role }, { onSuccess })} />;
  };
  const removeOf = (user: User) =>
    mayChange(user) ? (
      <Button small onPress={() => setRemoved(user)} aria-label={t('settings.removeUser', { name: user.name })}>
        {t('action.remove')}
      </Button>
    ) : null;
  return (
    <>
      <Shown query={query}>
        {(users) => (
          <Table
            label={t('settings.people')}
            rows={users}
            rowKey={({ id }) => id}
            columns={[
              { key: 'name', title: t('settings.userName'), cell: ({ name }) => <strong>{name}</strong> },
              { key: 'email', title: t('auth.email'), cell: ({ email }) => email },
              { key: 'role', title: t('settings.role'), cell: roleOf },
              { key: 'remove', title: t('action.remove'), hideTitle: true, cell: removeOf },
            ]}
          />
        )}
      </Shown>
      <ErrorNotice error={change.error} />
      {removed && <RemoveDialog user={removed} onRemoved={offerKeys} onClose={() => setRemoved(null)} />}
      {left && left.keys.length > 0 && <KeysOfUserDialog {...left} onClose={() => setLeft(null)} />}
    </>
  );
}

interface Invited extends Pick<Invitation, 'email' | 'role'> {
  readonly instructor_id?: string;
}

/** The instructors of the school, one of whom a user of that role is. */
function InstructorChoice({ value, onChange }: { value: string | undefined; onChange: (id: string) => void }) {
  const { t } = useLanguage();
  const { data = [] } = useInstructorChoice();
  const options = [{ value: '', label: '–' }, ...data.map(({ id, name }) => ({ value: id, label: name }))];
  return <Choice label={t('bookings.instructor')} value={value ?? ''} options={options} onChange={onChange} />;
}

function useInvite() {
  const invite = useChange(INVITATIONS, (sent: Invited) => dashboardApi.post('/invitations', sent));
  // The other parent, most of the time.
  const role = useMe().account.kind === 'family' ? 'guardian' : 'viewer';
  const form = useForm<Invited>({ email: '', role }, ({ instructor_id: id, ...rest }) => {
    const sent = rest.role === 'instructor' && id ? { ...rest, instructor_id: id } : rest;
    invite.mutate(sent, { onSuccess: () => form.set({ email: '' }) });
  });
  return { invite, ...form };
}

function InviteForm() {
  const { t } = useLanguage();
  const { account } = useMe();
  const options = useRoleOptions(...(account.kind === 'school' ? (['instructor'] as const) : []));
  const { invite, values, set, submit } = useInvite();
  return (
    <form className="card stack" onSubmit={submit}>
      <div className="columns">
        <TextField
          label={t('auth.email')}
          type="email"
          value={values.email}
          onChange={(email) => set({ email })}
          error={fieldErrorOf(invite.error, 'email')}
          isRequired
        />
        <Choice
          label={t('settings.role')}
          value={values.role}
          onChange={(role) => set({ role })}
          options={options}
          description={t(`role.${values.role}.may`)}
        />
      </div>
      {values.role === 'instructor' && (
        <InstructorChoice value={values.instructor_id} onChange={(instructor_id) => set({ instructor_id })} />
      )}
      <ErrorNotice error={invite.error} />
      {invite.isSuccess && <Notice kind="success">{t('settings.invited')}</Notice>}
      <div>
        <Button kind="primary" type="submit" isPending={invite.isPending}>
          {t('settings.invite')}
        </Button>
      </div>
    </form>
  );
}

function Invitations() {
  const { t, named } = useLanguage();
  const query = useQuery({ queryKey: INVITATIONS, queryFn: () => dashboardApi.get<Invitation[]>('/invitations') });
  const withdraw = useChange(INVITATIONS, (id: string) => dashboardApi.remove(`/invitations/${id}`));
  const withdrawOf = ({ id }: Invitation) => (
    <Button small onPress={() => withdraw.mutate(id)}>
      {t('settings.withdraw')}
    </Button>
  );
  return (
    <Shown query={query}>
      {(invitations) =>
        invitations.length > 0 && (
          <Table
            label={t('settings.invitations')}
            rows={invitations}
            rowKey={({ id }) => id}
            columns={[
              { key: 'email', title: t('auth.email'), cell: ({ email }) => email },
              { key: 'role', title: t('settings.role'), cell: ({ role }) => named('role', role) },
              { key: 'until', title: t('keys.expires'), cell: ({ expires_at: at }) => <Instant at={at} /> },
              { key: 'withdraw', title: t('settings.withdraw'), hideTitle: true, cell: withdrawOf },
            ]}
          />
        )
      }
    </Shown>
  );
}

/** The users of the account, and its open invitations. */
export default function People() {
  const { t } = useLanguage();
  const { role } = useMe().user;
  const mayInvite = role === 'owner' || role === 'admin';
  return (
    <div className="settings-sections">
      <Users />
      {mayInvite && (
        <Section title={t('settings.invite')} lead={t('settings.inviteLead')}>
          <InviteForm />
          <Invitations />
        </Section>
      )}
    </div>
  );
}
