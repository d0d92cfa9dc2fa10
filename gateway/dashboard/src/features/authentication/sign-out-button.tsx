import { useMutation } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { useSignedIn } from '../../api/me.ts';
import { Button, type ButtonProps } from '../../design/button.tsx';

type SignOutProps = Pick<ButtonProps, 'kind' | 'small'> & { readonly label: string };

/** Ends the session. */
export function SignOutButton({ label, ...appearance }: SignOutProps) {
  const signedIn = useSignedIn();
  const signOut = useMutation({
    mutationFn: () => dashboardApi.post('/sign-out'),
    onSuccess: () => signedIn(null),
  });
  return (
    <Button {...appearance} isPending={signOut.isPending} onPress={() => signOut.mutate()}>
      {label}
    </Button>
  );
}
