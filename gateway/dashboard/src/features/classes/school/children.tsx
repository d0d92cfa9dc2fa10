import type { Enrollment, SwimClass } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { useScopes } from '../../../api/me.ts';
import { useMemberNames, useMemberSearch } from '../../../api/names.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Checkbox } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { SearchChoice } from '../../../design/fields/search-choice.tsx';
import { Empty, Section } from '../../../design/page.tsx';
import { PagedTable } from '../../../design/tables/paged-table.tsx';
import type { Column } from '../../../design/tables/table.tsx';
import { Day } from '../../../design/values/when.tsx';
import { type Language, useLanguage } from '../../../texts/language.tsx';
import { useEnroll, useEnrollmentsIn } from '../classes.ts';
import { EndDialog } from '../end-dialog.tsx';
import { EnrollmentProblem, LeftOut } from '../enrollment-problem.tsx';

interface Shows {
  readonly nameOf: (enrollment: Enrollment) => string;
  readonly actionOf: (enrollment: Enrollment) => ReactNode;
}

const TONES = { pending: 'warning', active: 'success', ended: 'neutral' } as const;

const columnsOf = ({ t }: Language, { nameOf, actionOf }: Shows): Column<Enrollment>[] => [
  {
    key: 'member',
    title: t('bookings.member'),
    cell: (each) => <Link href={`/members/${each.member_id}`}>{nameOf(each)}</Link>,
  },
  { key: 'since', title: t('bookings.from'), cell: ({ starts_on: date }) => <Day date={date} /> },
  { key: 'until', title: t('bookings.to'), cell: ({ ends_on: date }) => date && <Day date={date} /> },
  {
    key: 'state',
    title: t('bookings.state'),
    cell: ({ status }) => <Badge tone={TONES[status]}>{t(`classes.enrollment.${status}`)}</Badge>,
  },
  {
    key: 'booking',
    title: t('bookings.booking'),
    cell: ({ booking_id: id }) => <Link href={`/bookings/${id}`}>{t('members.open')}</Link>,
  },
  { key: 'action', title: t('lessons.actions'), hideTitle: true, cell: actionOf },
];

/** Enrolls a member whom the school may book. */
function AddChild({ swimClass }: { swimClass: SwimClass }) {
  const { t } = useLanguage();
  const client = useClient();
  const [text, setText] = useState('');
  const [skips, setSkips] = useState(false);
  const [member, setMember] = useState('');
  const members = useMemberSearch(text);
  const enroll = useEnroll(swimClass.id);
  const body = member ? { member_id: member, on_conflict: skips ? ('skip' as const) : ('fail' as const) } : null;
  const name = `enroll-${swimClass.id}-${swimClass.places_left}`;
  const preview = useDryRun(name, enroll.isPending ? null : body, (complete, options) =>
    client.classes.createEnrollment(swimClass.id, complete, options),
  );
  const { submit } = useForm({}, () => {
    if (body) enroll.mutate(body, { onSuccess: () => setMember('') });
  });
  const choose = (id: string) => {
    enroll.reset();
    setMember(id);
  };
  const error = enroll.error ?? preview.error;
  return (
    <form className="card stack add-member" onSubmit={submit}>
      <SearchChoice
        label={t('bookings.addMember')}
        placeholder={t('bookings.findMember')}
        value={member}
        options={members}
        onSearch={setText}
        onChange={choose}
      />
      {(Boolean(error) || skips) && (
        <Checkbox isSelected={skips} onChange={setSkips}>
          {t('classes.skip')}
        </Checkbox>
      )}
      <div className="stack-tight" aria-live="polite">
        <EnrollmentProblem error={error} />
        {preview.data && <LeftOut skipped={preview.data.skipped} timeZone={swimClass.recurrence.timezone} />}
      </div>
      <div>
        <Button kind="primary" type="submit" isPending={enroll.isPending} isDisabled={!preview.data}>
          {t('classes.enroll')}
        </Button>
      </div>
    </form>
  );
}

/** The children of a class: each can leave it, and others are enrolled. */
export function Children({ swimClass }: { swimClass: SwimClass }) {
  const language = useLanguage();
  const { t } = language;
  const can = useScopes();
  const pages = useEnrollmentsIn(swimClass.id);
  const names = useMemberNames(pages.rows?.map(({ member_id: id }) => id) ?? []);
  const [ending, setEnding] = useState<Enrollment | null>(null);
  const nameOf = ({ member_id: id }: Enrollment) => names.get(id) ?? t('bookings.someone');
  const canWrite = can('bookings:write');
  const actionOf = (each: Enrollment) =>
    canWrite &&
    each.status !== 'ended' && (
      <Button small aria-label={t('classes.endNamed', { name: nameOf(each) })} onPress={() => setEnding(each)}>
        {t('classes.endAction')}
      </Button>
    );
  return (
    <Section title={t('classes.children')}>
      <div className="stack">
        <PagedTable
          label={t('classes.children')}
          pages={pages}
          empty={<Empty title={t('lessons.nobody')} />}
          rowKey={({ id }) => id}
          columns={columnsOf(language, { nameOf, actionOf })}
        />
        {canWrite && can('members:read') && swimClass.status === 'open' && <AddChild swimClass={swimClass} />}
      </div>
      {ending && <EndDialog enrollment={ending} name={nameOf(ending)} onClose={() => setEnding(null)} />}
    </Section>
  );
}
