import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { dashboardApi } from '../../../api/dashboard-api.ts';
import { type Me, meQuery, useSignedIn } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { TextField } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { NewPasswordField } from '../../../design/fields/new-password-field.tsx';
import { ErrorNotice, fieldErrorOf } from '../../../design/notice.tsx';
import { Loading } from '../../../design/page.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { AuthenticationLayout, VisitorForm } from '../authentication-layout.tsx';
import { useLinkToken } from '../next-path.ts';
import { SignOutButton } from '../sign-out-button.tsx';

const NOTHING = { name: '', password: '' };

function AcceptForm({ token }: { token: string }) {
  const { t } = useLanguage();
  const signedIn = useSignedIn();
  const [, navigate] = useLocation();
  const accept = useMutation({
    mutationFn: (sent: typeof NOTHING) => dashboardApi.post<Me | { me: Me }>('/invitations/accept', { token, ...sent }),
    onSuccess: (answer) => {
      signedIn('me' in answer ? answer.me : answer);
      navigate('/', { replace: true });
    },
  });
  const { values, set, submit } = useForm(NOTHING, (sent) => accept.mutate(sent));
  return (
    <VisitorForm onSubmit={submit} sending={accept} action={t('invitation.accept')}>
      <TextField
        label={t('auth.name')}
        name="name"
        autoComplete="name"
        value={values.name}
        onChange={(name) => set({ name })}
        error={fieldErrorOf(accept.error, 'name')}
        isRequired
      />
      <NewPasswordField
        label={t('auth.password')}
        value={values.password}
        onChange={(password) => set({ password })}
        error={fieldErrorOf(accept.error, 'password')}
      />
    </VisitorForm>
  );
}

/** Adds the account to those of the signed-in user; somebody else has to sign out first: their cookie would replace this one unseen. */
function JoinForm({ user: { name, email }, token }: Pick<Me, 'user'> & { token: string }) {
  const { t } = useLanguage();
  const signedIn = useSignedIn();
  const [, navigate] = useLocation();
  const join = useMutation({
    mutationFn: () => dashboardApi.post<Me>('/invitations/join', { token }),
    onSuccess: (me) => {
      signedIn(me);
      navigate('/', { replace: true });
    },
  });
  return (
    <div className="visitor-form">
      <ErrorNotice error={join.error} />
      <Button kind="primary" isPending={join.isPending} onPress={() => join.mutate()}>
        {t('invitation.join', { name, email })}
      </Button>
      <SignOutButton kind="quiet" label={t('invitation.signOut')} />
    </div>
  );
}

/** The page of an invitation: who has its link becomes a user of the account. */
export default function AcceptInvitationPage() {
  const { t } = useLanguage();
  const token = useLinkToken();
  const { data: me, isPending } = useQuery(meQuery);
  const form = me ? <JoinForm user={me.user} token={token} /> : <AcceptForm token={token} />;
  // The link of a school makes its user the owner of a family that exists.
  const isClaim = token.startsWith('claim.');
  const more = !me && (
    <>
      {t('invitation.haveUser')} <Link href={`/sign-in#token=${token}`}>{t('signIn.action')}</Link>
    </>
  );
  return (
    <AuthenticationLayout
      title={t(isClaim ? 'invitation.claim' : 'invitation.title')}
      lead={me ? undefined : t('invitation.lead')}
      more={more}
    >
      {!token && <p>{t('auth.linkIncomplete')}</p>}
      {token && (isPending ? <Loading /> : form)}
    </AuthenticationLayout>
  );
}
