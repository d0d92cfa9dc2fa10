import { lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation, useParams } from 'wouter';
import { EnvironmentContext, isEnvironment, lastEnvironment, rememberEnvironment } from '../api/environment.tsx';
import { Loading } from '../design/page.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { Shell } from './shell.tsx';

const KeysPage = lazy(() => import('../features/keys/keys-page.tsx'));

/** The first page. */
function Home() {
  return <Redirect to="/developers/keys" replace />;
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/developers/keys" component={KeysPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

/** The pages of a signed-in user in the environment of the address. */
export default function SignedInPages() {
  const { environment } = useParams<{ environment: string }>();
  const [location] = useLocation();
  const known = isEnvironment(environment) ? environment : null;
  useEffect(() => {
    if (known) rememberEnvironment(known);
  }, [known]);
  if (!known) return <Redirect to={`~/dashboard/${lastEnvironment()}/${environment}${location}`} replace />;
  return (
    <EnvironmentContext value={known}>
      <Shell>
        <ErrorBoundary key={location}>
          <Suspense fallback={<Loading />}>
            <Pages key={known} />
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </EnvironmentContext>
  );
}
