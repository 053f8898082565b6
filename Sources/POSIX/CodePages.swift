import CSystem
import Glibc

/// The pages of memory that contain the code and the constants of the program and its libraries.
package enum CodePages {
    /// Gives back all pages, so that only those that are used from now on are resident.
    ///
    /// Most code of a start is never used again. The system reads a page again from the file, or from its own memory, when
    /// the page is used next. Pages that the program can write, or could while it was loaded, are not given back.
    package static func release() {
        // unsafe because the call passes pointers to a function, which uses them only until it returns.
        _ = unsafe dl_iterate_phdr(
            { object, _, _ in
                if let object = unsafe object { unsafe CodePages.release(object.pointee) }
                return 0
            },
            nil
        )
    }

    private static func release(_ object: loaded_object) {
        let pageSize = UInt(sysconf(Int32(_SC_PAGESIZE)))
        // unsafe because the loader describes the segments in an array of C, with this count.
        let segments = unsafe UnsafeBufferPointer(start: object.segments, count: Int(object.segment_count))
        let address = unsafe UInt(object.address)
        // unsafe because it copies the array. The array is in one of the pages, which would become resident again with its
        // neighbors: 60 KiB for each library.
        let constants = unsafe segments.filter(isConstant)
        for segment in constants {
            let start = address + UInt(segment.p_vaddr)
            let first = start / pageSize * pageSize
            // unsafe because the system forgets pages by their address. They are the same as in the file, so that the
            // program reads the same bytes again; if the system cannot do it, nothing changes.
            _ = unsafe madvise(
                UnsafeMutableRawPointer(bitPattern: first),
                Int(start + UInt(segment.p_memsz) - first),
                MADV_DONTNEED
            )
        }
    }

    /// Whether the loader never writes to a segment, as it does to apply relocations.
    private static func isConstant(_ segment: Elf64_Phdr) -> Bool {
        segment.p_type == PT_LOAD && segment.p_flags & UInt32(PF_W) == 0
    }
}
