import { createContext } from "react";

/** The pictures of the report cannot be shown at the moment; its head says so. */
export const PicturesUnreachable = createContext(false);
