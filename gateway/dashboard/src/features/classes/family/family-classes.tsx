import type { Enrollment, SwimClass, WaitlistEntry } from '@swim/sdk';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useScopes } from '../../../api/me.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Choice } from '../../../design/fields/fields.tsx';
import { type AllChildren, ChildTabs, OfChildren } from '../../../design/lessons/child-tabs.tsx';
import { misfitOf } from '../../../design/lessons/eligibility.ts';
import { useForWhom } from '../../../design/lessons/for-whom.ts';
import { Line, useLine } from '../../../design/lessons/line.tsx';
import type { Child } from '../../../design/lessons/open-lessons.ts';
import { Places } from '../../../design/lessons/places.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Empty, Page } from '../../../design/page.tsx';
import { PagedTable } from '../../../design/tables/paged-table.tsx';
import type { Column } from '../../../design/tables/table.tsx';
import { money } from '../../../design/values/amount.ts';
import { wallClockAt } from '../../../design/values/wall-clock.ts';
import { WEEKDAYS, type Weekday, weekdayName } from '../../../design/values/weekday.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { useClassColumns } from '../class-columns.tsx';
import { useClasses, useEnrollmentsOf, useLiveClasses } from '../classes.ts';
import { EndDialog } from '../end-dialog.tsx';
import { EnrollDialog } from './enroll-dialog.tsx';

const LEAST_ROWS = 5;

/** Whether a class has a lesson to come that fits a child on its day. */
const fits = (child: Child, each: SwimClass): boolean =>
  each.next_lesson_at !== null &&
  misfitOf(each, child, wallClockAt(each.next_lesson_at, each.recurrence.timezone).date) === null;

/** The classes that fit a child, and those in which it is. Pages are read until there is something to see. */
function useClassesFor(child: Child, weekday: Weekday | '', enrolled: ReadonlyMap<string, Enrollment>) {
  const pages = useClasses({ level: child.level, ...(weekday ? { weekday } : {}) });
  const rows = pages.rows?.filter((each) => enrolled.has(each.id) || (each.status === 'open' && fits(child, each)));
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const needsMore = rows !== undefined && rows.length < LEAST_ROWS && hasNextPage && !isFetching;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  return { ...pages, rows: rows?.length === 0 && hasNextPage ? undefined : rows };
}

function useColumns(classes: readonly SwimClass[], actionOf: (swimClass: SwimClass) => ReactNode): Column<SwimClass>[] {
  const { t, tag } = useLanguage();
  const { when, who, next } = useClassColumns(classes);
  const forWhom = useForWhom();
  return [
    {
      key: 'name',
      title: t('classes.class'),
      cell: (each) => (
        <span className="stack-tight">
          <Link href={`/classes/${each.id}`}>{each.name}</Link>
          <span className="hint">{forWhom(each)}</span>
        </span>
      ),
    },
    when,
    who,
    next,
    {
      key: 'places',
      title: t('classes.places'),
      cell: ({ places_left: left, capacity }) => left !== null && <Places left={left} capacity={capacity} />,
    },
    {
      key: 'price',
      title: t('classes.priceEach'),
      isNumeric: true,
      cell: ({ price_cents: cents, currency }) => money(cents, currency, tag),
    },
    { key: 'action', title: t('classes.enroll'), hideTitle: true, cell: actionOf },
  ];
}

interface ActionProps {
  readonly child: Child;
  readonly swimClass: SwimClass;
  /** Its place in the line of the class. */
  readonly entry: WaitlistEntry | undefined;
  readonly enrollment: Enrollment | undefined;
  readonly onEnroll: (holdId?: string) => void;
  readonly onEnd: () => void;
}

function Action({ child, swimClass, entry, enrollment, onEnroll, onEnd }: ActionProps) {
  const { t } = useLanguage();
  const canBook = useScopes()('bookings:write');
  const { id, name, places_left: left } = swimClass;
  if (enrollment)
    return (
      <span className="row">
        <Badge tone={enrollment.status === 'pending' ? 'warning' : 'success'}>
          {t(`classes.enrollment.${enrollment.status}`)}
        </Badge>
        {canBook && (
          <Button small aria-label={t('classes.endNamed', { name })} onPress={onEnd}>
            {t('classes.endAction')}
          </Button>
        )}
      </span>
    );
  return (
    <span className="row">
      {(left === 0 || entry) && (
        <Line
          child={child}
          of={{ class_id: id }}
          entry={entry}
          when={name}
          take={[t('classes.enroll'), t('classes.enrollNamed', { name })]}
          onTake={onEnroll}
        />
      )}
      {canBook && entry?.status !== 'offered' && (
        <Button small aria-label={t('classes.enrollNamed', { name })} onPress={() => onEnroll()}>
          {t('classes.enroll')}
        </Button>
      )}
    </span>
  );
}

function Enrolled({ enrollment }: { enrollment: Enrollment }) {
  const { t } = useLanguage();
  return (
    <Notice kind="success" comesIntoView>
      <span className="row">
        {t(enrollment.status === 'pending' ? 'open.bookedPending' : 'classes.enrolled')}
        <Link href={`/bookings/${enrollment.booking_id}`}>{t('classes.payNext')}</Link>
      </span>
    </Notice>
  );
}

type Opened = { readonly enroll: SwimClass; readonly holdId: string | undefined } | { readonly end: Enrollment } | null;

function ClassesFor({ child, weekday }: { child: Child; weekday: Weekday | '' }) {
  const { t } = useLanguage();
  const enrollments = useEnrollmentsOf(child.id);
  const line = useLine(child);
  const pages = useClassesFor(child, weekday, enrollments);
  const [opened, setOpened] = useState<Opened>(null);
  const [enrolled, setEnrolled] = useState<Enrollment | null>(null);
  const close = () => setOpened(null);
  const columns = useColumns(pages.rows ?? [], (each) => (
    <Action
      child={child}
      swimClass={each}
      entry={line.get(each.id)}
      enrollment={enrollments.get(each.id)}
      onEnroll={(holdId) => setOpened({ enroll: each, holdId })}
      onEnd={() => setOpened({ end: enrollments.get(each.id)! })}
    />
  ));
  return (
    <>
      {enrolled && <Enrolled enrollment={enrolled} />}
      <PagedTable
        label={t('classes.title')}
        pages={pages}
        empty={<Empty title={t('classes.noneFor', { name: child.name })}>{t('classes.noneText')}</Empty>}
        rowKey={({ id }) => id}
        columns={columns}
      />
      {opened && 'enroll' in opened && (
        <EnrollDialog
          child={child}
          swimClass={opened.enroll}
          holdId={opened.holdId}
          onEnrolled={setEnrolled}
          onClose={close}
        />
      )}
      {opened && 'end' in opened && <EndDialog enrollment={opened.end} name={child.name} onClose={close} />}
    </>
  );
}

function OfFamily({ all }: { all: AllChildren }) {
  const { t, tag } = useLanguage();
  const [params] = useSearchParams();
  const [weekday, setWeekday] = useState<Weekday | ''>('');
  const child = all.find(({ id }) => id === params.get('child')) ?? all[0];
  const weekdays = WEEKDAYS.map((value) => ({ value, label: weekdayName(value, tag) }));
  return (
    <>
      <ChildTabs all={all} child={child} pathOf={(id) => `/classes?child=${id}`} />
      <search className="filters">
        <Choice
          label={t('open.weekday')}
          value={weekday}
          onChange={setWeekday}
          options={[{ value: '' as const, label: t('open.anyDay') }, ...weekdays]}
        />
      </search>
      <ClassesFor key={child.id} child={child} weekday={weekday} />
    </>
  );
}

/** Courses in which a family enrolls its children: for each child those of its level and age. */
export function FamilyClasses() {
  const { t } = useLanguage();
  useLiveClasses();
  return (
    <Page title={t('classes.title')} lead={t('classes.lead.family')}>
      <OfChildren>{(all) => <OfFamily all={all} />}</OfChildren>
    </Page>
  );
}
