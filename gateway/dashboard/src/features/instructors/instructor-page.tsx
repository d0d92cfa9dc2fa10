import type { Instructor } from '@swim/sdk';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { useClient } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { usePoolNames, useSchoolNames } from '../../api/names.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { CalendarFeed } from '../../design/calendar-feed.tsx';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Page, Section, Shown } from '../../design/page.tsx';
import { money } from '../../design/values/amount.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Exceptions } from './exceptions.tsx';
import { HoursEditor } from './hours/hours-editor.tsx';
import { useInstructor, useUpdateInstructor } from './instructors.ts';
import { poolIdsOf } from './profile-body.ts';
import { ProfileDialog } from './profile-dialog.tsx';
import { RatesForm } from './rates-form.tsx';
import { Reviews } from './reviews.tsx';
import './instructors.css';

function Profile({ instructor }: { instructor: Instructor }) {
  const { t, tag } = useLanguage();
  const { status, email, phone, timezone, bio, currency, hourly_rate_cents: rate, languages } = instructor;
  const pools = [...usePoolNames(poolIdsOf(instructor.service_areas)).values()];
  const school = useSchoolNames([instructor.account_id]).get(instructor.account_id);
  const levels = instructor.levels_taught.map((level) => t(`level.${level}`));
  const facts = [
    ['school', school],
    ['email', email],
    ['phone', phone],
    ['rate', money(rate, currency, tag)],
    ['zone', timezone],
    ['languages', languages.join(', ') || null],
    ['levels', levels.join(', ') || null],
    ['pools', pools.join(', ') || null],
  ] as const;
  return (
    <div className="card stack">
      <div>
        <Badge tone={status === 'active' ? 'success' : 'neutral'}>{t(`instructors.status.${status}`)}</Badge>
      </div>
      <dl className="facts">
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`instructors.${key}`)}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      {bio && <p className="instructor-bio">{bio}</p>}
    </div>
  );
}

/** Says that an instructor cannot be booked, and publishes the instructor. */
function Draft({ instructor }: { instructor: Instructor }) {
  const { t } = useLanguage();
  const update = useUpdateInstructor(instructor);
  return (
    <>
      <Notice>
        <span className="row">
          {t('instructors.draft')}
          <Button small isPending={update.isPending} onPress={() => update.mutate({ status: 'active' })}>
            {t('instructors.publishDraft')}
          </Button>
        </span>
      </Notice>
      <ErrorNotice error={update.error} />
    </>
  );
}

/** Who teaches in the place of the instructor, and time in which nobody does. */
function Absence({ instructor: { id, name } }: { instructor: Instructor }) {
  const { t } = useLanguage();
  if (!useScopes()('sessions:write')) return null;
  return (
    <>
      <Link href={`/substitutions/new?instructor=${id}`} className="button button-secondary">
        {t('substitutions.new')}
      </Link>
      <Link
        href={`/closures/new?what=${id}`}
        className="button button-secondary"
        aria-label={t('closures.absenceNamed', { name })}
      >
        {t('closures.absence')}
      </Link>
    </>
  );
}

interface ActionsProps {
  readonly instructor: Instructor;
  readonly onEdit: () => void;
}

/** What an account does with an instructor: a school with its own, and a family books one of any school. */
function Actions({ instructor, onEdit }: ActionsProps) {
  const { t } = useLanguage();
  const { account } = useMe();
  const can = useScopes();
  const isOwn = instructor.account_id === account.id;
  const mayEdit = isOwn && can('instructors:write');
  const mayBook = (isOwn || account.kind === 'family') && can('bookings:write') && instructor.status === 'active';
  return (
    <>
      {mayEdit && <Absence instructor={instructor} />}
      {mayEdit && <Button onPress={onEdit}>{t('instructors.edit')}</Button>}
      {mayBook && (
        <Link href={`/bookings/new?instructor=${instructor.id}`} className="button button-primary">
          {t('bookings.book')}
        </Link>
      )}
    </>
  );
}

/** One instructor: published hours, exceptions from them, rates and reviews. */
export default function InstructorPage() {
  const { t } = useLanguage();
  const { instructorId } = useParams<{ instructorId: string }>();
  const { account } = useMe();
  const { instructors } = useClient();
  const can = useScopes();
  const query = useInstructor(instructorId);
  const [isEditing, setEditing] = useState(false);
  const mayEdit = can('instructors:write') && query.data?.account_id === account.id;
  return (
    <Page
      title={query.data?.name ?? t('instructors.instructor')}
      lead={<Link href="/instructors">{t('instructors.title')}</Link>}
      actions={query.data && <Actions instructor={query.data} onEdit={() => setEditing(true)} />}
    >
      <Shown query={query}>
        {(instructor) => (
          <>
            {mayEdit && instructor.status === 'inactive' && <Draft instructor={instructor} />}
            <Profile instructor={instructor} />
            {isEditing && <ProfileDialog instructor={instructor} onClose={() => setEditing(false)} />}
            <HoursEditor instructor={instructor} mayEdit={mayEdit} />
            <Exceptions instructor={instructor} mayEdit={mayEdit} />
            {mayEdit && <RatesForm key={instructor.version} instructor={instructor} />}
            <Section title={t('instructors.reviews')}>
              <Reviews instructorId={instructor.id} />
            </Section>
            {mayEdit && (
              <Section title={t('feeds.title')}>
                <CalendarFeed
                  mint={() => instructors.mintCalendarToken(instructor.id)}
                  revoke={() => instructors.revokeCalendarToken(instructor.id)}
                />
              </Section>
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}
