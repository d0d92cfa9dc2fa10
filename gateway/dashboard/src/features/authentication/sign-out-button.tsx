import { useMutation } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { useSignedIn } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';

/** Ends the session. */
export function SignOutButton({ label }: { label: string }) {
  const signedIn = useSignedIn();
  const signOut = useMutation({
    mutationFn: () => dashboardApi.post('/sign-out'),
    onSuccess: () => signedIn(null),
  });
  return (
    <Button small isPending={signOut.isPending} onPress={() => signOut.mutate()}>
      {label}
    </Button>
  );
}
