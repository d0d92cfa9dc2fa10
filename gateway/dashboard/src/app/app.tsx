import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter';
import { lastEnvironment } from '../api/environment.tsx';
import { MeContext, meQuery, useMe } from '../api/me.ts';
import { Loading } from '../design/page.tsx';
import { LanguageProvider, useVisitorsLocale } from '../texts/language.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

const SignedInPages = lazy(() => import('./signed-in-pages.tsx'));
const CardPage = lazy(() => import('../features/payment-methods/card/card-page.tsx'));
const SignInPage = lazy(() => import('../features/authentication/sign-in-page.tsx'));
const SignUpPage = lazy(() => import('../features/authentication/sign-up-page.tsx'));
const ConfirmPage = lazy(() => import('../features/authentication/links/confirm-page.tsx'));
const ResetPasswordPage = lazy(() => import('../features/authentication/links/reset-password-page.tsx'));
const AcceptInvitationPage = lazy(() => import('../features/authentication/links/accept-invitation-page.tsx'));
const SignInLinkPage = lazy(() => import('../features/authentication/links/sign-in-link-page.tsx'));

/** Where someone goes who is not signed in; the address comes back as `next`. */
function ToSignIn() {
  const [location] = useLocation();
  const search = useSearch();
  const next = location === '/' ? '' : `?next=${encodeURIComponent(search ? `${location}?${search}` : location)}`;
  return <Redirect to={`/sign-in${next}`} replace />;
}

function Start() {
  return <Redirect to={`/${lastEnvironment(useMe())}`} replace />;
}

/** Pages that need a signed-in user; others are led to sign in, and back afterwards. */
function Guarded() {
  const { data: me, error, isPending } = useQuery(meQuery);
  // While a later request fails, the pages stay.
  if (error && me === undefined) throw error;
  if (isPending) return <Loading />;
  if (!me) return <ToSignIn />;
  return (
    <MeContext value={me}>
      <Switch>
        <Route path="/" component={Start} />
        <Route path="/live/card" component={CardPage} />
        <Route path="/:environment" nest component={SignedInPages} />
      </Switch>
    </MeContext>
  );
}

/** The dashboard: pages for visitors, and everything else for signed-in users. */
export function App() {
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const visitors = useVisitorsLocale();
  return (
    <Suspense fallback={null}>
      <LanguageProvider locale={me?.user.locale ?? visitors}>
        <ErrorBoundary>
          <Router base="/dashboard">
            <Suspense fallback={<Loading />}>
              <Switch>
                <Route path="/sign-in" component={SignInPage} />
                <Route path="/sign-up" component={SignUpPage} />
                <Route path="/confirm" component={ConfirmPage} />
                <Route path="/reset-password" component={ResetPasswordPage} />
                <Route path="/accept-invitation" component={AcceptInvitationPage} />
                <Route path="/sign-in-link" component={SignInLinkPage} />
                <Route component={Guarded} />
              </Switch>
            </Suspense>
          </Router>
        </ErrorBoundary>
      </LanguageProvider>
    </Suspense>
  );
}
