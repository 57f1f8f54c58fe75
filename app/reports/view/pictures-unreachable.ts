import { createContext } from "react";

/** Whether the report's pictures cannot be shown at the moment; the header has a notice. */
export const PicturesUnreachable = createContext(false);
