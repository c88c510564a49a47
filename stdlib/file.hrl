%% What `file:read_file_info/1` answers, and `file:open/2` for raw files.
-ifndef(FILE_HRL_).
-define(FILE_HRL_, 1).
-record(file_info, {size, type, access, atime, mtime, ctime, mode, links, major_device, minor_device, inode, uid, gid}).
-record(file_descriptor, {module, data}).
-endif.
