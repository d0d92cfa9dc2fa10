import type { Credit, Lesson } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorNames, useMemberNames } from '../../api/names.ts';
import { usePages } from '../../api/pages.ts';
import { useZones } from '../../api/zones.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useRefresh } from '../../design/lessons/open-lessons.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Empty, Section } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import { money } from '../../design/values/amount.ts';
import { instantText } from '../../design/values/instant-text.ts';
import { DayAt, Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';

const TONES = { available: 'success', spent: 'neutral', expired: 'neutral' } as const;

function useSpend({ id, member_id: memberId }: Credit) {
  const client = useClient();
  const send = useOnce((lessonId: string, idempotencyKey) =>
    client.bookings.create(
      { lesson_ids: [lessonId], member_ids: [memberId], makeup_credit_id: id },
      { idempotencyKey },
    ),
  );
  return useMutation({ mutationFn: send, onSuccess: useRefresh() });
}

/** Where nothing in a group can be booked with a credit, a private lesson can. */
function NoOptions({ memberId }: { memberId: string }) {
  const { t } = useLanguage();
  const toBooking = <Link href={`/bookings/new?member=${memberId}`}>{t('bookings.new')}</Link>;
  return <Empty title={t('credits.noOptions')} action={toBooking} />;
}

/** The lessons that a credit can pay, one of which is booked with it. */
function Options({ credit, spend }: { credit: Credit; spend: ReturnType<typeof useSpend> }) {
  const { t, tag } = useLanguage();
  const client = useClient();
  const environment = useEnvironment();
  const pages = usePages([environment, 'credits', credit.id, 'options'], (page, options) =>
    client.credits.listOptions(credit.id, page, options),
  );
  const lessons = pages.rows ?? [];
  const zoneOf = useZones(lessons);
  const instructors = useInstructorNames(lessons.map(({ instructor_id: id }) => id));
  const bookOf = (lesson: Lesson) => (
    <Button
      small
      aria-label={t('open.bookNamed', { when: instantText(lesson.date, tag, zoneOf(lesson)) })}
      isDisabled={spend.isPending}
      onPress={() => spend.mutate(lesson.id)}
    >
      {t('bookings.book')}
    </Button>
  );
  return (
    <PagedTable
      label={t('bookings.lessons')}
      pages={pages}
      empty={<NoOptions memberId={credit.member_id} />}
      rowKey={({ id }) => id}
      columns={[
        { key: 'when', title: t('bookings.date'), cell: (each) => <Instant at={each.date} timeZone={zoneOf(each)} /> },
        { key: 'who', title: t('bookings.instructor'), cell: ({ instructor_id: id }) => instructors.get(id) ?? '–' },
        {
          key: 'price',
          title: t('bookings.price'),
          isNumeric: true,
          cell: ({ price_cents: cents, currency }) => money(cents, currency, tag),
        },
        { key: 'book', title: t('bookings.book'), hideTitle: true, cell: bookOf },
      ]}
    />
  );
}

function OptionsDialog({ credit, name, onClose }: { credit: Credit; name: string; onClose: () => void }) {
  const { t } = useLanguage();
  const spend = useSpend(credit);
  return (
    <Dialog title={t('credits.useFor', { name })} isOpen onClose={onClose} wide>
      <ErrorNotice error={spend.error} />
      {spend.data ? (
        <Notice kind="success">
          {t('bookings.booked')} <Link href={`/bookings/${spend.data.id}`}>{t('bookings.show')}</Link>
        </Notice>
      ) : (
        <Options credit={credit} spend={spend} />
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('action.close')}</Button>
      </div>
    </Dialog>
  );
}

/** The makeup credits of a family, each of which pays lessons of its school. */
export function Credits() {
  const { t, tag } = useLanguage();
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const canBook = useScopes()('bookings:write');
  const pages = usePages([environment, 'credits', 'list'], (page, options) =>
    client.credits.list(account.id, page, options),
  );
  const names = useMemberNames(pages.rows?.map(({ member_id: id }) => id) ?? []);
  const [used, setUsed] = useState<Credit | null>(null);
  const nameOf = ({ member_id: id }: Credit) => names.get(id) ?? t('bookings.someone');
  const useOf = (credit: Credit) =>
    canBook &&
    credit.status === 'available' && (
      <Button small aria-label={t('credits.useFor', { name: nameOf(credit) })} onPress={() => setUsed(credit)}>
        {t('credits.useAction')}
      </Button>
    );
  return (
    <Section title={t('credits.title')} lead={t('credits.lead')}>
      <PagedTable
        label={t('credits.title')}
        pages={pages}
        empty={<Empty title={t('credits.empty')} />}
        rowKey={({ id }) => id}
        columns={[
          { key: 'for', title: t('open.child'), cell: nameOf },
          {
            key: 'given',
            title: t('credits.given'),
            isNumeric: true,
            cell: ({ issued_cents: cents, currency }) => money(cents, currency, tag),
          },
          {
            key: 'left',
            title: t('credits.rest'),
            isNumeric: true,
            cell: ({ amount_cents: cents, currency }) => money(cents, currency, tag),
          },
          {
            key: 'until',
            title: t('methods.expires'),
            cell: ({ expires_at: at }) => <DayAt at={at} />,
          },
          {
            key: 'state',
            title: t('bookings.state'),
            cell: ({ status }) => <Badge tone={TONES[status]}>{t(`credits.status.${status}`)}</Badge>,
          },
          { key: 'use', title: t('credits.useAction'), hideTitle: true, cell: useOf },
        ]}
      />
      {used && <OptionsDialog credit={used} name={nameOf(used)} onClose={() => setUsed(null)} />}
    </Section>
  );
}
