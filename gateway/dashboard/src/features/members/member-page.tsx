import type { Member } from '@swim/sdk';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { useClient } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { CalendarFeed } from '../../design/calendar-feed.tsx';
import { Page, Section, Shown } from '../../design/page.tsx';
import { Day } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { AccessLog } from './access-log.tsx';
import { ComingLessons } from './coming-lessons.tsx';
import { Erase } from './erase-dialog.tsx';
import { MedicalNotes } from './medical-notes.tsx';
import { MemberDialog } from './member-dialog.tsx';
import { useMember } from './members.ts';
import { ProgressOf } from './progress.tsx';
import './members.css';

function Profile({ member }: { member: Member }) {
  const { t } = useLanguage();
  const { emergency_contact: contact, date_of_birth: born, swimming_level: level } = member;
  return (
    <dl className="facts card">
      <div>
        <dt>{t('members.born')}</dt>
        <dd>
          <Day date={born} />
        </dd>
      </div>
      <div>
        <dt>{t('members.level')}</dt>
        <dd>{t(`level.${level}`)}</dd>
      </div>
      <div>
        <dt>{t('members.contact')}</dt>
        {contact ? (
          <>
            <dd>
              {contact.name} ({contact.relationship})
            </dd>
            <dd>
              <a href={`tel:${contact.phone}`}>{contact.phone}</a>
            </dd>
          </>
        ) : (
          <dd>–</dd>
        )}
      </div>
    </dl>
  );
}

/** The ways to the bookings of a member, and to a new one. */
function Bookings({ member: { id, name } }: { member: Member }) {
  const { t } = useLanguage();
  const canBook = useScopes()('bookings:write');
  return (
    <>
      <Link href={`/bookings?member=${id}`}>{t('members.bookings')}</Link>
      {canBook && (
        <Link
          href={`/bookings/new?member=${id}`}
          className="button button-secondary button-small"
          aria-label={t('home.bookFor', { name })}
        >
          {t('bookings.book')}
        </Link>
      )}
    </>
  );
}

/** The sections for the member's own account only: calendar feed, access log and erasure. */
function OwnSections({ member }: { member: Member }) {
  const { t } = useLanguage();
  const { members } = useClient();
  const can = useScopes();
  return (
    <>
      {can('members:write') && (
        <Section title={t('feeds.title')}>
          <CalendarFeed
            mint={() => members.mintCalendarToken(member.id)}
            revoke={() => members.revokeCalendarToken(member.id)}
          />
        </Section>
      )}
      {can('accounts:read') && (
        <Section title={t('members.access')} lead={t('members.accessLead')}>
          <AccessLog memberId={member.id} />
        </Section>
      )}
      {can('members:write') && (
        <Section title={t('members.erase')}>
          <Erase member={member} />
        </Section>
      )}
    </>
  );
}

/** One member: profile, medical notes and who read them, lessons to come, and progress. */
export default function MemberPage() {
  const { t } = useLanguage();
  const { memberId } = useParams<{ memberId: string }>();
  const { account } = useMe();
  const can = useScopes();
  const query = useMember(memberId);
  const [isEditing, setEditing] = useState(false);
  const isOwn = query.data?.account_id === account.id;
  const edit = isOwn && can('members:write') && <Button onPress={() => setEditing(true)}>{t('members.edit')}</Button>;
  return (
    <Page
      title={query.data?.name ?? t('members.member')}
      lead={<Link href="/members">{t(`members.title.${account.kind}`)}</Link>}
      actions={edit}
    >
      <Shown query={query}>
        {(member) => (
          <>
            <Profile member={member} />
            <MedicalNotes member={member} />
            <Section title={t('members.coming')} actions={<Bookings member={member} />}>
              <ComingLessons memberId={member.id} />
            </Section>
            <ProgressOf memberId={member.id} />
            {isOwn && <OwnSections member={member} />}
            {isEditing && <MemberDialog member={member} onClose={() => setEditing(false)} />}
          </>
        )}
      </Shown>
    </Page>
  );
}
