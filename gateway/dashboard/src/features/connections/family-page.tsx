import type { Booking, Connection, FamilyDetails } from '@swim/sdk';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useEnvironment } from '../../api/environment.tsx';
import { useScopes } from '../../api/me.ts';
import { useMemberNames } from '../../api/names.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { DueBookings, useDueBookings } from '../../design/money/due-bookings.tsx';
import { Empty, Page, Section, Shown } from '../../design/page.tsx';
import { Table } from '../../design/tables/table.tsx';
import { DayAt } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { ClaimDialog } from './claim-dialog.tsx';
import { useConnectionWith, useFamily } from './connections.ts';
import { Due } from './due.tsx';
import { EndDialog } from './end-dialog.tsx';
import { Invite } from './invite.tsx';

interface KnownProps {
  readonly family: FamilyDetails;
  readonly connection: Connection | undefined;
}

function Facts({ family, connection }: KnownProps) {
  const { t } = useLanguage();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('auth.email'), family.email && <a href={`mailto:${family.email}`}>{family.email}</a>],
    [
      t('bookings.state'),
      <Badge key="state" tone={family.claimed ? 'success' : 'neutral'}>
        {t(family.claimed ? 'families.claimed' : 'families.unclaimed')}
      </Badge>,
    ],
    [t('lessons.since'), connection && <DayAt at={connection.created_at} />],
    [t('connections.origin'), connection && t(`connections.origin.${connection.origin}`)],
    [t('connections.externalId'), connection?.external_id],
    [t('bookings.due'), family.due?.length ? <Due key="due" of={family} /> : null],
  ];
  return (
    <dl className="facts card">
      {facts
        .filter(([, value]) => value)
        .map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** What the school does until somebody of the family owns the account. */
function Unclaimed({ family }: { family: FamilyDetails }) {
  const { t } = useLanguage();
  const isSandbox = useEnvironment() === 'sandbox';
  const [isClaiming, setClaiming] = useState(false);
  return (
    <Section title={t('families.inviteTitle')} lead={t('families.inviteLead')}>
      <div className="row">
        <Invite family={family} isMain />
        {isSandbox && <Button onPress={() => setClaiming(true)}>{t('families.claim')}</Button>}
      </div>
      {isClaiming && <ClaimDialog family={family} onClose={() => setClaiming(false)} />}
    </Section>
  );
}

function Members({ ids, add }: { ids: readonly string[]; add: ReactNode }) {
  const { t } = useLanguage();
  const names = useMemberNames(ids);
  const nameOf = (id: string) =>
    names.has(id) ? <Link href={`/members/${id}`}>{names.get(id)}</Link> : t('bookings.someone');
  const canBook = useScopes()('bookings:write');
  const linksOf = (id: string) => (
    <span className="row">
      <Link href={`/bookings?member=${id}`}>{t('members.bookings')}</Link>
      {canBook && names.has(id) && (
        <Link
          href={`/bookings/new?member=${id}`}
          className="button button-secondary button-small"
          aria-label={t('home.bookFor', { name: names.get(id)! })}
        >
          {t('bookings.book')}
        </Link>
      )}
    </span>
  );
  return (
    <Section title={t('bookings.members')} actions={add}>
      {ids.length === 0 ? (
        <Empty title={t('members.emptyTitle')} />
      ) : (
        <Table
          label={t('bookings.members')}
          rows={ids}
          rowKey={(id) => id}
          columns={[
            { key: 'name', title: t('members.name'), cell: nameOf },
            { key: 'bookings', title: t('members.bookings'), hideTitle: true, cell: linksOf },
          ]}
        />
      )}
    </Section>
  );
}

/** The bookings on which the family owes the school; where each is paid, the school collects. */
function ToPay({ family }: { family: FamilyDetails }) {
  const { t } = useLanguage();
  const { data: bookings = [] } = useDueBookings(family);
  const names = useMemberNames(bookings.flatMap(({ member_ids: ids }) => ids));
  const namesOf = ({ member_ids: ids }: Booking) => ids.map((id) => names.get(id) ?? t('bookings.someone')).join(', ');
  if (bookings.length === 0) return null;
  return (
    <Section title={t('home.due')}>
      <DueBookings bookings={bookings} namesOf={namesOf} actionOf={() => null} />
    </Section>
  );
}

type Opened = 'end' | 'add' | null;

function Known({ family, connection }: KnownProps) {
  const { t } = useLanguage();
  const can = useScopes();
  const canWrite = can('members:write');
  const canReadDues = can('payments:read') && can('bookings:read');
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const isUnclaimed = !family.claimed && family.member_ids.length > 0;
  const isOpen = canWrite && connection?.status === 'active';
  const add = isOpen && isUnclaimed && <Button onPress={() => setOpened('add')}>{t('families.addMember')}</Button>;
  return (
    <>
      <Facts family={family} connection={connection} />
      {canWrite && isUnclaimed && <Unclaimed family={family} />}
      <Members ids={family.member_ids} add={add} />
      {canReadDues && <ToPay family={family} />}
      {isOpen && (
        <div>
          <Button onPress={() => setOpened('end')}>{t('families.endAction')}</Button>
        </div>
      )}
      {opened === 'add' && connection && <AddMemberDialog connection={connection} onClose={close} />}
      {opened === 'end' && connection && (
        <EndDialog connection={connection} name={family.name ?? ''} isUnclaimed={isUnclaimed} onClose={close} />
      )}
    </>
  );
}

/** One family of the school: who it is, its members, and how it claims its account. */
export default function FamilyPage() {
  const { t } = useLanguage();
  const { accountId } = useParams<{ accountId: string }>();
  const query = useFamily(accountId);
  const { data: connection } = useConnectionWith(accountId);
  const [, navigate] = useLocation();
  const wasShown = useRef(false);
  useEffect(() => {
    // The end of the connection may leave nothing that the school may see.
    if (query.data === null && wasShown.current) navigate('/families', { replace: true });
    wasShown.current = Boolean(query.data);
  }, [query.data, navigate]);
  return (
    <Page
      title={query.data?.name ?? t('families.family')}
      lead={<Link href="/families">{t('connections.title.school')}</Link>}
    >
      <Shown query={query}>
        {(family) =>
          family ? (
            <Known family={family} connection={connection} />
          ) : (
            <Empty title={t('families.gone')}>{t('families.goneText')}</Empty>
          )
        }
      </Shown>
    </Page>
  );
}
