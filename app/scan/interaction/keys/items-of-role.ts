/** Selectors of the items of a widget, by its role; functions inside pages get it as a value. */
export const ITEMS_OF_ROLE: Record<string, string> = {
  tablist: "[role=tab]",
  listbox: "[role=option]",
  combobox: "[role=option]",
  menu: "[role=menuitem], [role=menuitemcheckbox], [role=menuitemradio]",
  menubar: "[role=menuitem], [role=menuitemcheckbox], [role=menuitemradio]",
  tree: "[role=treeitem]",
  treegrid: "[role=row], [role=gridcell]",
  grid: "[role=gridcell], td",
  toolbar: ":is(button, a[href], [role=button], [role=link], [role=checkbox], [role=switch], input:is([type=button], [type=submit], [type=checkbox])):not([role=tab], [role=radio], [role=option], [role^=menuitem])",
  radiogroup: "[role=radio]",
};
