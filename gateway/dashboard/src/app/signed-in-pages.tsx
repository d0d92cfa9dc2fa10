import { lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation, useParams } from 'wouter';
import { EnvironmentContext, isEnvironment, lastEnvironment, rememberEnvironment } from '../api/environment.tsx';
import { useMe } from '../api/me.ts';
import { Loading } from '../design/page.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { pathInOther } from './navigation.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { Shell } from './shell.tsx';

const HomePage = lazy(() => import('../features/home/home-page.tsx'));
const CalendarPage = lazy(() => import('../features/calendar/calendar-page.tsx'));
const SetupChecklist = lazy(() => import('../features/setup/setup-checklist.tsx'));
const TodayPage = lazy(() => import('../features/today/today-page.tsx'));
const NewLessonPage = lazy(() => import('../features/lessons/new-lesson-page.tsx'));
const LessonPage = lazy(() => import('../features/lessons/lesson-page.tsx'));
const ClassesPage = lazy(() => import('../features/classes/classes-page.tsx'));
const NewClassPage = lazy(() => import('../features/classes/school/new-class-page.tsx'));
const ClassPage = lazy(() => import('../features/classes/school/class-page.tsx'));
const BookingsPage = lazy(() => import('../features/bookings/bookings-page.tsx'));
const NewBookingPage = lazy(() => import('../features/bookings/new/new-booking-page.tsx'));
const BookingPage = lazy(() => import('../features/bookings/booking-page.tsx'));
const OpenLessonsPage = lazy(() => import('../features/open-lessons/open-lessons-page.tsx'));
const MembersPage = lazy(() => import('../features/members/members-page.tsx'));
const MemberPage = lazy(() => import('../features/members/member-page.tsx'));
const FamiliesPage = lazy(() => import('../features/connections/families-page.tsx'));
const NewFamilyPage = lazy(() => import('../features/connections/new-family-page.tsx'));
const FamilyPage = lazy(() => import('../features/connections/family-page.tsx'));
const ImportsPage = lazy(() => import('../features/imports/imports-page.tsx'));
const ImportPage = lazy(() => import('../features/imports/import-page.tsx'));
const SchoolsPage = lazy(() => import('../features/connections/connections-page.tsx'));
const InstructorsPage = lazy(() => import('../features/instructors/instructors-page.tsx'));
const InstructorPage = lazy(() => import('../features/instructors/instructor-page.tsx'));
const PoolsPage = lazy(() => import('../features/pools/pools-page.tsx'));
const ClosuresPage = lazy(() => import('../features/closures/closures-page.tsx'));
const NewClosurePage = lazy(() => import('../features/closures/new-closure-page.tsx'));
const NewSubstitutionPage = lazy(() => import('../features/substitutions/new-substitution-page.tsx'));
const WaitlistPage = lazy(() => import('../features/waitlist/waitlist-page.tsx'));
const StatementPage = lazy(() => import('../features/statement/statement-page.tsx'));
const PoliciesPage = lazy(() => import('../features/policies/policies-page.tsx'));
const PaymentMethodsPage = lazy(() => import('../features/payment-methods/payment-methods-page.tsx'));
const KeysPage = lazy(() => import('../features/keys/keys-page.tsx'));
const WebhooksPage = lazy(() => import('../features/webhooks/webhooks-page.tsx'));
const WebhookPage = lazy(() => import('../features/webhooks/webhook-page.tsx'));
const DeliveryPage = lazy(() => import('../features/webhooks/delivery-page.tsx'));
const EventsPage = lazy(() => import('../features/events/events-page.tsx'));
const RequestsPage = lazy(() => import('../features/requests/requests-page.tsx'));
const RequestPage = lazy(() => import('../features/requests/request-page.tsx'));
const UsagePage = lazy(() => import('../features/usage/usage-page.tsx'));
const ClockPage = lazy(() => import('../features/sandbox/clock-page.tsx'));
const SettingsPage = lazy(() => import('../features/settings/settings-page.tsx'));

/** The first page: the calendar of a school, the day of an instructor, and the children of a family. */
function Home() {
  const { account, user } = useMe();
  if (user.instructor_id) return <Redirect to="/today" replace />;
  return <Redirect to={account.kind === 'school' ? '/calendar' : '/home'} replace />;
}

/** The first page of a school: its calendar, below what is left to set up. */
function SchoolsHome() {
  const checklist = (
    <Suspense fallback={null}>
      <SetupChecklist />
    </Suspense>
  );
  return <CalendarPage banner={checklist} />;
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/home" component={HomePage} />
      <Route path="/calendar" component={SchoolsHome} />
      <Route path="/today" component={TodayPage} />
      <Route path="/lessons/new" component={NewLessonPage} />
      <Route path="/lessons/:lessonId" component={LessonPage} />
      <Route path="/classes" component={ClassesPage} />
      <Route path="/classes/new" component={NewClassPage} />
      <Route path="/classes/:classId" component={ClassPage} />
      <Route path="/bookings" component={BookingsPage} />
      <Route path="/bookings/new" component={NewBookingPage} />
      <Route path="/bookings/:bookingId" component={BookingPage} />
      <Route path="/open-lessons" component={OpenLessonsPage} />
      <Route path="/members" component={MembersPage} />
      <Route path="/members/:memberId" component={MemberPage} />
      <Route path="/families" component={FamiliesPage} />
      <Route path="/families/new" component={NewFamilyPage} />
      <Route path="/families/imports" component={ImportsPage} />
      <Route path="/families/imports/:importId" component={ImportPage} />
      <Route path="/families/:accountId" component={FamilyPage} />
      <Route path="/schools" component={SchoolsPage} />
      <Route path="/instructors" component={InstructorsPage} />
      <Route path="/instructors/:instructorId" component={InstructorPage} />
      <Route path="/pools" component={PoolsPage} />
      <Route path="/closures" component={ClosuresPage} />
      <Route path="/closures/new" component={NewClosurePage} />
      <Route path="/substitutions/new" component={NewSubstitutionPage} />
      <Route path="/waitlist" component={WaitlistPage} />
      <Route path="/statement" component={StatementPage} />
      <Route path="/policies" component={PoliciesPage} />
      <Route path="/payment-methods" component={PaymentMethodsPage} />
      <Route path="/developers/keys" component={KeysPage} />
      <Route path="/developers/webhooks" component={WebhooksPage} />
      <Route path="/developers/webhooks/:endpointId" component={WebhookPage} />
      <Route path="/developers/webhooks/:endpointId/deliveries/:deliveryId" component={DeliveryPage} />
      <Route path="/developers/events/:eventId?" component={EventsPage} />
      <Route path="/developers/requests" component={RequestsPage} />
      <Route path="/developers/requests/:requestLogId" component={RequestPage} />
      <Route path="/developers/usage" component={UsagePage} />
      <Route path="/developers/clock" component={ClockPage} />
      <Route path="/settings/:part?" component={SettingsPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

/** The pages of a signed-in user in the environment of the address. */
export default function SignedInPages() {
  const { environment } = useParams<{ environment: string }>();
  const [location] = useLocation();
  const me = useMe();
  const isNamed = isEnvironment(environment);
  // An account that a school made has no sandbox: a request in it would be answered as one of nobody.
  const known = isNamed && me.environments.includes(environment) ? environment : null;
  useEffect(() => {
    if (known) rememberEnvironment(known);
  }, [known]);
  if (!known) {
    const path = isNamed ? pathInOther(location) : `/${environment}${location}`;
    return <Redirect to={`~/dashboard/${lastEnvironment(me)}${path}`} replace />;
  }
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
