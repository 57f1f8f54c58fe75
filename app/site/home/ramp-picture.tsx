/** The logo's ramp as a wide picture: it rises to the next section. */
export function RampPicture() {
  return (
    <>
      <svg className="ramp-picture" viewBox="0 0 1200 120" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 120 1200 0v120Z" />
      </svg>
      <span className="ramp-ball" />
    </>
  );
}
