/** Logo: a ramp up to a step, beside the name. */
export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
        <path className="logo-ramp" d="M2 26 22 10h8v16Z" />
        <circle className="logo-dot" cx="10.5" cy="10.5" r="4.5" />
      </svg>
      <span className="logo-name">Rampe</span>
    </span>
  );
}
