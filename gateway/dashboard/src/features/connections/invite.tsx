import { ApiError, type Family, type FamilyDetails } from '@swim/sdk';
import { useEnvironment } from '../../api/environment.tsx';
import { Button } from '../../design/button.tsx';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Ago, Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useInvite } from './connections.ts';

/** The most invitations of a day to one address; the limits of a school are higher. */
const TO_ONE_ADDRESS = 5;

/** The limit of a day that an invitation has reached; null for another error, and for none. */
const limitOf = (error: unknown): number | null => {
  const { reason, maximum } = (error instanceof ApiError ? error.details : {}) as { reason?: string; maximum?: number };
  return reason === 'limit_reached' ? (maximum ?? null) : null;
};

interface InviteProps {
  readonly family: Pick<Family, 'account_id' | 'name'> & Partial<Pick<FamilyDetails, 'invited_at'>>;
  /** Whether it is what the page is for. */
  readonly isMain?: boolean;
}

/** Mails the family the link by which it claims its account, and says when that was done. */
export function Invite({ family: { account_id: id, name, invited_at: before }, isMain = false }: InviteProps) {
  const { t } = useLanguage();
  const isSandbox = useEnvironment() === 'sandbox';
  const { invite, sent } = useInvite(id);
  const sentAt = sent?.sentAt ?? before;
  const maximum = limitOf(invite.error);
  return (
    <span className="stack-tight">
      <span>
        <Button
          small={!isMain}
          kind={isMain ? 'primary' : 'secondary'}
          aria-label={t(sentAt ? 'families.inviteAgainNamed' : 'families.inviteNamed', { name: name ?? '' })}
          isPending={invite.isPending}
          onPress={() => invite.mutate()}
        >
          {t(sentAt ? 'families.inviteAgain' : 'families.invite')}
        </Button>
      </span>
      {sentAt && (
        <span className="hint" role="status">
          {t(isSandbox ? 'families.invitedInSandbox' : 'families.invited')} <Ago at={sentAt} />
          {sent && isMain && !isSandbox && (
            <>
              , {t('families.validUntil')} <Instant at={sent.expiresAt} />
            </>
          )}
        </span>
      )}
      {maximum === null ? (
        <ErrorNotice error={invite.error} />
      ) : (
        <Notice kind="warning">
          {t(maximum > TO_ONE_ADDRESS ? 'families.inviteLimit.school' : 'families.inviteLimit.address', { maximum })}
        </Notice>
      )}
    </span>
  );
}
