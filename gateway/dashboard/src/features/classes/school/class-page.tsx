import type { Lesson, SwimClass } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useMe, useScopes } from '../../../api/me.ts';
import { useInstructorNames, usePoolNames } from '../../../api/names.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { ChangeDialog } from '../../../design/change-dialog.tsx';
import { useForWhom } from '../../../design/lessons/for-whom.ts';
import { Places } from '../../../design/lessons/places.tsx';
import { Waiting } from '../../../design/lessons/waiting.tsx';
import { LiveMark } from '../../../design/live-mark.tsx';
import { Page, Section, Shown } from '../../../design/page.tsx';
import { Table } from '../../../design/tables/table.tsx';
import { money } from '../../../design/values/amount.ts';
import { Instant } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { ClassBadge, useClassTimes } from '../class-texts.tsx';
import { useClass, useClassActions, useLessonsOfClass, useLiveClasses } from '../classes.ts';
import { Children } from './children.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { Opening } from './opening.tsx';
import '../classes.css';

function Facts({ of }: { of: SwimClass }) {
  const { t, tag } = useLanguage();
  const instructor = useInstructorNames([of.instructor_id]).get(of.instructor_id);
  const poolId = of.location?.pool_id ?? '';
  const pool = usePoolNames(poolId ? [poolId] : []).get(poolId);
  const forWhom = useForWhom();
  const timesOf = useClassTimes();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('classes.when'), timesOf(of)],
    [t('bookings.length'), t('bookings.minutes', { count: of.duration_minutes })],
    [t('bookings.instructor'), instructor ?? '–'],
    [t('lessons.pool'), pool ?? '–'],
    [t('lessons.forWhom'), forWhom(of)],
    [t('classes.priceEach'), money(of.price_cents, of.currency, tag)],
    of.places_left === null
      ? [t('lessons.capacity'), of.capacity]
      : [t('classes.places'), <Places key="places" left={of.places_left} capacity={of.capacity} />],
    [t('bookings.state'), <ClassBadge key="state" status={of.status} />],
  ];
  return (
    <div className="card stack">
      <dl className="facts">
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {of.description && <p>{of.description}</p>}
    </div>
  );
}

function Lessons({ of, isOwn }: { of: SwimClass; isOwn: boolean }) {
  const { t } = useLanguage();
  const query = useLessonsOfClass(of.id);
  const whenOf = ({ id, date }: Lesson) => {
    const when = <Instant at={date} timeZone={of.recurrence.timezone} />;
    return isOwn ? <Link href={`/lessons/${id}`}>{when}</Link> : when;
  };
  const stateOf = ({ status }: Lesson) =>
    status !== 'scheduled' && (
      <Badge tone={status === 'completed' ? 'success' : 'neutral'}>{t(`bookings.session.${status}`)}</Badge>
    );
  return (
    <Section title={t('bookings.lessons')}>
      <Shown query={query}>
        {(lessons) => (
          <Table
            label={t('bookings.lessons')}
            rows={lessons}
            rowKey={({ id }) => id}
            columns={[
              { key: 'when', title: t('bookings.date'), cell: whenOf },
              {
                key: 'places',
                title: t('classes.places'),
                cell: ({ places_left: left, capacity }) => <Places left={left} capacity={capacity} />,
              },
              { key: 'state', title: t('bookings.state'), cell: stateOf },
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}

type Opened = 'edit' | 'close' | null;

function Actions({ of, onOpen }: { of: SwimClass; onOpen: (opened: Opened) => void }) {
  const { t } = useLanguage();
  const [, navigate] = useLocation();
  const { remove } = useClassActions(of);
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <Button onPress={() => onOpen('edit')}>{t('lessons.edit')}</Button>
      {of.status === 'draft' && <Button onPress={() => setRemoving(true)}>{t('classes.remove')}</Button>}
      {of.status === 'open' && <Button onPress={() => onOpen('close')}>{t('classes.closeAction')}</Button>}
      {isRemoving && (
        <ChangeDialog
          title={t('classes.remove')}
          change={remove}
          onContinue={() => remove.mutate(undefined, { onSuccess: () => navigate('/classes') })}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

/** One class: a draft with what opening it makes; an open one with its children and its lessons. */
export default function ClassPage() {
  const { t } = useLanguage();
  const { classId } = useParams<{ classId: string }>();
  const { account } = useMe();
  const can = useScopes();
  const live = useLiveClasses();
  const query = useClass(classId);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const isOwn = query.data?.account_id === account.id;
  const actions = (
    <>
      <LiveMark state={live} />
      {query.data && isOwn && can('sessions:write') && <Actions of={query.data} onOpen={setOpened} />}
    </>
  );
  return (
    <Page
      title={query.data?.name ?? t('classes.class')}
      lead={<Link href="/classes">{t('classes.title')}</Link>}
      actions={actions}
    >
      <Shown query={query}>
        {(data) => (
          <>
            <Facts of={data} />
            {isOwn && data.status === 'draft' && <Opening draft={data} />}
            {isOwn && data.status !== 'draft' && <Children swimClass={data} />}
            {isOwn && data.status === 'open' && <Waiting of={{ class_id: data.id }} lead={t('classes.lineLead')} />}
            {data.status !== 'draft' && <Lessons of={data} isOwn={isOwn} />}
            {opened === 'edit' && <EditDialog stored={data} onClose={close} />}
            {opened === 'close' && <CloseDialog stored={data} onClose={close} />}
          </>
        )}
      </Shown>
    </Page>
  );
}
